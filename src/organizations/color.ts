/** The most characters of a color. */
export const MAX_COLOR_LENGTH = 64;

// The named colors of CSS Color 4, without `transparent`, `currentcolor`, and system colors.
const NAMES = new Set(
  (
    'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood ' +
    'cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray ' +
    'darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen ' +
    'darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue ' +
    // prose-allow: CSS names both spellings of gray
    'firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew ' +
    'hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan ' +
    'lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray ' +
    'lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue ' +
    'mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred ' +
    'midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid ' +
    'palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple ' +
    'rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue ' +
    'slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow ' +
    'yellowgreen'
  ).split(' '),
);

/** The functions with three parts, and which part is an angle. */
const FUNCTIONS = new Map([
  ['rgb', -1],
  ['rgba', -1],
  ['hsl', 0],
  ['hsla', 0],
  ['hwb', 0],
  ['lab', -1],
  ['lch', 2],
  ['oklab', -1],
  ['oklch', 2],
]);
/** Functions whose parts may be separated by commas. */
const WITH_COMMAS = new Set(['rgb', 'rgba', 'hsl', 'hsla']);

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const PART = /^[+-]?(?:\d{1,8}(?:\.\d{1,8})?|\.\d{1,8})(%|deg|grad|rad|turn)?$/;

/** Whether a text is a literal CSS color: a name, `#rrggbb`, or a function of numbers like `oklch(62% 0.2 260 / 80%)`. */
export function isColor(text: string): boolean {
  if (text.length > MAX_COLOR_LENGTH) return false;
  const color = text.toLowerCase();
  return NAMES.has(color) || HEX.test(color) || isFunction(color);
}

function isFunction(color: string): boolean {
  const open = color.indexOf('(');
  const name = color.slice(0, Math.max(open, 0));
  const angle = FUNCTIONS.get(name);
  if (angle === undefined || !color.endsWith(')')) return false;
  const inner = color.slice(open + 1, -1);
  if (inner.includes(','))
    return (
      WITH_COMMAS.has(name) &&
      isList(
        inner.split(',').map((part) => part.trim()),
        angle,
      )
    );
  const [parts, ...alpha] = inner.split('/').map((side) => side.split(' ').filter(Boolean));
  return parts!.length === 3 && alpha.length <= 1 && isList([...parts!, ...alpha.flat()], angle, alpha.length);
}

// Three parts, and optionally the opacity.
function isList(parts: readonly string[], angle: number, opacities = parts.length - 3): boolean {
  const isComplete = opacities >= 0 && opacities <= 1 && parts.length === 3 + opacities;
  return isComplete && parts.every((part, index) => isPart(part, index === angle));
}

function isPart(part: string, isAngle: boolean): boolean {
  if (part === 'none') return true;
  const found = PART.exec(part);
  return found !== null && (isAngle || found[1] === undefined || found[1] === '%');
}
