// Runs in the page, and returns a function that finds flaws in the visible layout: overlapping texts, texts and
// controls that are cut off (placeholders too), covered, or outside the window, boxes that scroll sideways, and words that break into
// letters. It walks through open shadow roots, and reads only the geometry of boxes, not pixels.
(() => {
  /** A flaw must last for this time, in milliseconds of the page's own clock. */
  const STAYS = 120;
  /** How many frames the page has to come to rest. A page with a running clock never does. */
  const MOST_FRAMES = 60;
  /** Scrollable boxes are checked in at most this many places, and only from this height in pixels on. */
  const MOST_STEPS = 6;
  const LEAST_HEIGHT = 100;
  const CONTROLS = 'a[href], button, input, select, textarea, summary';
  /** Long enough for any word of a natural language. */
  const LONGEST_WORD = 24;

  /** Cached readings of elements since the last check, by kind. */
  let known = {};
  const keep = (name, read) => (element) => {
    const kept = (known[name] ??= new Map());
    if (!kept.has(element)) kept.set(element, read(element));
    return kept.get(element);
  };
  const styleOf = keep('style', (element) => getComputedStyle(element));
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const holds = (outer, inner) => {
    for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };
  const closest = (element, selector) => {
    for (let at = element; at; at = parentOf(at)) if (at.matches(selector)) return at;
    return null;
  };

  function rootsOf(root = document) {
    const inner = [...root.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot);
    return [root, ...inner.flatMap(({ shadowRoot }) => rootsOf(shadowRoot))];
  }

  const isShown = keep('isShown', (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }),
  );
  /** Whether an element is completely outside the visible part of a scrolled box. */
  const isScrolledOut = keep('isScrolledOut', (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const boxes = clippersOf(element).found.filter((box) => box !== element && scrolls(styleOf(box).overflowY));
    return boxes.map(paddingBox).some((box) => bottom < box.top || top > box.bottom);
  });

  /** The overlay that covers everything and blocks the rest of the page. */
  const modal = () => {
    const open = rootsOf().flatMap((root) => [...root.querySelectorAll('dialog:modal')]);
    return open.at(-1) ?? null;
  };

  const intersection = (one, other) => {
    const left = Math.max(one.left, other.left);
    const top = Math.max(one.top, other.top);
    const right = Math.min(one.right, other.right);
    const bottom = Math.min(one.bottom, other.bottom);
    return { left, top, right, bottom, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  };
  const isEmpty = ({ width, height }) => width < 1 || height < 1;
  const windowRect = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

  const isContainer = (element, position) => {
    const { position: own, transform, translate, scale, rotate, filter, contain, willChange } = styleOf(element);
    if (position === 'absolute' && own !== 'static') return true;
    if ([transform, translate, scale, rotate, filter].some((value) => value !== 'none')) return true;
    return /paint|layout|strict|content/.test(contain) || /transform|filter/.test(willChange);
  };

  const clips = (overflow) => overflow !== 'visible';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';

  /** The boxes that clip an element's content, from the inside out, and whether the window does. */
  const clippersOf = keep('clippers', (element) => {
    const found = [];
    let isFixed = false;
    for (let at = element; at && at !== document.documentElement;) {
      const style = styleOf(at);
      const isInline = style.display === 'inline' || style.display === 'contents';
      if (!isInline && at !== document.body && (clips(style.overflowX) || clips(style.overflowY))) found.push(at);
      if (style.clipPath !== 'none') return { found, isFixed, isCutAway: true };
      const { position } = style;
      let next = parentOf(at);
      if (position === 'fixed' || position === 'absolute') {
        while (next && next !== document.documentElement && !isContainer(next, position)) next = parentOf(next);
        if (position === 'fixed' && (!next || next === document.documentElement)) isFixed = true;
      }
      at = next;
    }
    return { found, isFixed, isCutAway: false };
  });

  const paddingBox = keep('box', (element) => {
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = [left + element.clientLeft, top + element.clientTop];
    const { clientWidth: width, clientHeight: height } = element;
    return { left: x, top: y, right: x + width, bottom: y + height, width, height };
  });

  const words = (text) => text.replace(/\s+/g, ' ').trim();
  const brief = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  const nameOf = (element) => {
    const named = closest(element, '[class]:not([class=""])');
    const name = named?.getAttribute('class').trim().replace(/\s+/g, '.') ?? '';
    return named === element ? `.${name}` : `${name && `.${name} `}${element.localName}`;
  };

  /** Whether everything between a text and the box that clips it is part of one line: then an ellipsis is shown. */
  function hasEllipsis(clipper, element) {
    const { textOverflow, display, webkitLineClamp } = styleOf(clipper);
    if (webkitLineClamp !== 'none') return true;
    if (textOverflow !== 'ellipsis' || /flex|grid/.test(display)) return false;
    for (let at = element; at !== clipper; at = parentOf(at)) {
      if (!/^(inline|inline-block|contents)$/.test(styleOf(at).display)) return false;
    }
    return true;
  }

  // A text that is shortened already has an ellipsis in it. The title has what stands before and after that.
  function hasTitle(clipper, text) {
    const parts = words(text).slice(0, 100).split('…');
    const hasAll = (title) => {
      let end = 0;
      return parts.every((part) => {
        const found = title.indexOf(part, end);
        end = found + part.length;
        return found >= 0;
      });
    };
    for (let at = clipper; at; at = parentOf(at)) if (hasAll(words(at.title ?? ''))) return true;
    return [...clipper.querySelectorAll('[title]')].some(({ title }) => hasAll(words(title)));
  }

  /** Whether a visible control that's said to open the box shows the rest: then no title repeats it. */
  function hasOpener(clipper) {
    if (!clipper.id) return false;
    const found = clipper.getRootNode().querySelectorAll('button[aria-expanded="false"][aria-controls]');
    return [...found].some((button) => button.getAttribute('aria-controls') === clipper.id && isShown(button));
  }

  /** The visible part of a box, and how it's cut off where no one can scroll. */
  function seenOf(box, element) {
    const { found, isFixed, isCutAway } = clippersOf(element);
    if (isCutAway) return { seen: null };
    let rest = {
      left: box.left,
      top: box.top,
      right: box.right,
      bottom: box.bottom,
      width: box.width,
      height: box.height,
    };
    let cut = null;
    for (const clipper of found) {
      if (clipper === element && !element.matches('input, textarea, select') && element.localName === 'svg') continue;
      const bounds = paddingBox(clipper);
      const { overflowX, overflowY } = styleOf(clipper);
      const beyondX = Math.max(bounds.left - rest.left, rest.right - bounds.right);
      const beyondY = Math.max(bounds.top - rest.top, rest.bottom - bounds.bottom);
      const isCutX = clips(overflowX) && !scrolls(overflowX) && beyondX > 1.5;
      const isCutY = clips(overflowY) && !scrolls(overflowY) && beyondY > Math.max(2, rest.height * 0.3);
      if ((isCutX || isCutY) && !cut) cut = { clipper, isAside: isCutX && !isCutY };
      rest = intersection(rest, {
        left: clips(overflowX) ? bounds.left : -Infinity,
        right: clips(overflowX) ? bounds.right : Infinity,
        top: clips(overflowY) ? bounds.top : -Infinity,
        bottom: clips(overflowY) ? bounds.bottom : Infinity,
      });
      if (isEmpty(rest)) return { seen: null, cut };
    }
    const inside = intersection(rest, windowRect());
    const beyondX = Math.max(-rest.left, rest.right - innerWidth);
    const beyondY = Math.max(-rest.top, rest.bottom - innerHeight);
    if (!cut && (beyondX > 1.5 || (isFixed && beyondY > rest.height * 0.3))) cut = { clipper: null };
    return { seen: isEmpty(inside) ? null : inside, cut };
  }

  function* nodesOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node;
  }

  /** The lines of all visible texts, with their visible parts. */
  function linesOf() {
    const lines = [];
    const top = modal();
    for (const node of rootsOf().flatMap((root) => [...nodesOf(root)])) {
      const element = node.parentElement ?? node.getRootNode().host;
      if (!node.data.trim() || !element || /^(script|style|noscript)$/.test(element.localName)) continue;
      if (!isShown(element) || (top && !holds(top, element)) || isScrolledOut(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => !isEmpty(box));
      for (const box of boxes) lines.push({ node, element, box, count: boxes.length, ...seenOf(box, element) });
    }
    return lines;
  }

  const alphaOf = (color) => {
    if (color === 'transparent') return 0;
    const parts = color.match(/[\d.]+%?/g) ?? [];
    const isSlashed = color.includes('/');
    if (!isSlashed && !color.startsWith('rgba')) return 1;
    return Number.parseFloat(parts.at(-1));
  };
  function isOpaque(element) {
    const { backgroundColor, backgroundImage } = styleOf(element);
    if (/^(img|canvas|video|iframe)$/.test(element.localName)) return true;
    if (alphaOf(backgroundColor) > 0.95) return true;
    return backgroundImage.includes('gradient') && !matchMedia('(forced-colors: active)').matches;
  }

  function stackAt(x, y, root = document) {
    return root.elementsFromPoint(x, y).flatMap((element) => {
      // The elements of the root around it appear again.
      if (root !== document && element.getRootNode() !== root) return [];
      return element.shadowRoot ? [...stackAt(x, y, element.shadowRoot), element] : [element];
    });
  }

  /** Whether an opaque element is between the upper and the lower of two texts. */
  function isBetween(stack, one, other) {
    const place = (element) => stack.findIndex((candidate) => holds(candidate, element));
    const [first, second] = [place(one), place(other)];
    const lower = first < second ? other : one;
    const end = stack.indexOf(lower);
    return stack
      .slice(0, end === -1 ? stack.length : end)
      .some((element) => isOpaque(element) && !holds(element, lower));
  }

  const core = ({ left, top, right, bottom, width, height }) => {
    const [x, y] = [Math.min(1, width / 4), height * 0.22];
    return {
      left: left + x,
      right: right - x,
      top: top + y,
      bottom: bottom - y,
      width: width - 2 * x,
      height: height - 2 * y,
    };
  };

  function overlapsOf(lines, add) {
    const seen = lines
      .filter(({ seen }) => seen)
      .map((line) => ({ ...line, core: intersection(core(line.box), line.seen) }))
      .filter((line) => !isEmpty(line.core))
      .toSorted((one, other) => one.core.top - other.core.top);
    seen.forEach((one, index) => {
      for (let next = index + 1; next < seen.length && seen[next].core.top < one.core.bottom; next += 1) {
        const other = seen[next];
        if (one.node === other.node) continue;
        const common = intersection(one.core, other.core);
        if (isEmpty(common)) continue;
        const stack = stackAt((common.left + common.right) / 2, (common.top + common.bottom) / 2);
        if (isBetween(stack, one.element, other.element)) continue;
        const names = [one, other].map(({ node, element }) => `"${brief(words(node.data))}" (${nameOf(element)})`);
        add(`overlap: ${names.toSorted().join(' and ')}`);
      }
    });
  }

  function cutsOf(lines, add) {
    for (const { node, element, cut } of lines) {
      if (!cut) continue;
      const text = brief(words(node.data));
      if (!cut.clipper) add(`outside the window: "${text}" (${nameOf(element)})`);
      else if (!hasEllipsis(cut.clipper, element)) add(`cut without an ellipsis: "${text}" (${nameOf(cut.clipper)})`);
      else if (!hasOpener(cut.clipper) && !hasTitle(cut.clipper, cut.clipper.textContent))
        add(`cut without a title: "${text}" (${nameOf(cut.clipper)})`);
    }
  }

  /** A word with one letter per line. */
  function brokenWordsOf(lines, add) {
    const done = new Set();
    for (const { node, element, count } of lines) {
      const text = words(node.data);
      if (done.has(node) || count < 3 || text.length > LONGEST_WORD || !/^\p{Alphabetic}+$/u.test(text)) continue;
      done.add(node);
      if (
        !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text) &&
        text.length / count < 3
      )
        add(`broken into letters: "${text}" (${nameOf(element)})`);
    }
  }

  const isScrolledAway = (element) => {
    for (let at = element; at && at !== document.documentElement; at = parentOf(at)) {
      if (scrolls(styleOf(at).overflowY) && at.scrollHeight > at.clientHeight + 1) return true;
    }
    return document.documentElement.scrollHeight > innerHeight + 1 && !clippersOf(element).isFixed;
  };

  /** Controls that are cut off, or covered by something other than a dialog. */
  function controlsOf(add) {
    const top = modal();
    for (const element of rootsOf().flatMap((root) => [...root.querySelectorAll(CONTROLS)])) {
      if (!isShown(element) || (top && !holds(top, element)) || isScrolledOut(element)) continue;
      const box = element.getBoundingClientRect();
      if (isEmpty(box) || styleOf(element).display === 'inline') continue;
      const name = `"${brief(words(element.ariaLabel ?? (element.textContent || element.placeholder || '')))}" (${nameOf(element)})`;
      const { seen, cut } = seenOf(box, parentOf(element));
      if (cut)
        add(cut.clipper ? `cut control: ${name} by ${nameOf(cut.clipper)}` : `control outside the window: ${name}`);
      if (!seen || isScrolledAway(element)) continue;
      const inset = Math.min(4, seen.width / 4, seen.height / 4);
      const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
      const across = [seen.left + inset, x, seen.right - inset].map((at) => [at, y]);
      const down = [seen.top + inset, seen.bottom - inset].map((at) => [x, at]);
      const covering = [...across, ...down]
        .map((point) => stackAt(...point)[0])
        .find((hit) => hit && isOver(hit, element));
      if (covering) add(`covered control: ${name} by ${nameOf(covering)}`);
    }
  }
  const isOver = (hit, control) => {
    if (holds(control, hit) || holds(hit, control) || closest(hit, ':popover-open, :has(> [role=listbox])'))
      return false;
    return ![...(control.labels ?? [])].some((label) => holds(label, hit));
  };

  /**
   * Placeholders of the widget that don't fit in their fields. A copy of the text shows how much space it takes. The console's are
   * examples and hints beside a label, and may be longer.
   */
  function placeholdersOf(add) {
    const roots = rootsOf().filter(({ host }) => host?.localName === 'parley-widget');
    const fields = roots.flatMap((root) => [...root.querySelectorAll(':placeholder-shown')]);
    for (const field of fields.filter((one) => words(one.placeholder) && isShown(one))) {
      const { font, letterSpacing, paddingLeft, paddingRight, paddingTop, paddingBottom } = styleOf(field);
      const width = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const height = field.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
      const { whiteSpace } = getComputedStyle(field, '::placeholder');
      const isWrapped = field.localName === 'textarea' && !whiteSpace.includes('nowrap');
      const copy = document.createElement('span');
      copy.textContent = field.placeholder;
      const look = { font, letterSpacing, position: 'absolute', visibility: 'hidden', direction: 'ltr' };
      Object.assign(
        copy.style,
        look,
        isWrapped ? { width: `${width}px`, whiteSpace: 'pre-wrap' } : { whiteSpace: 'pre' },
      );
      field.parentElement.append(copy);
      const needed = copy.getBoundingClientRect();
      copy.remove();
      if (needed.width > width + 1 || (isWrapped && needed.height > height + 2))
        add(`cut placeholder: "${brief(field.placeholder)}" (${nameOf(field)})`);
    }
  }

  /** Only code and tables may scroll sideways. */
  function sidewaysOf(add) {
    const page = document.scrollingElement;
    if (page.scrollWidth > innerWidth + 1) add(`scrolls sideways: the page (${page.scrollWidth} in ${innerWidth})`);
    for (const element of rootsOf().flatMap((root) => [...root.querySelectorAll('*')])) {
      if (element === page || element.scrollWidth <= element.clientWidth + 1 || !scrolls(styleOf(element).overflowX))
        continue;
      if (element.localName === 'pre' || element.querySelector(':scope > table') || !isShown(element)) continue;
      add(`scrolls sideways: ${nameOf(element)}`);
    }
  }

  /** User content that matches a rule meant for the page: such a rule names a class, and none of the content's. */
  function strangersOf(add) {
    for (const root of rootsOf()) {
      for (const { selectorText } of rulesOf(root)) {
        if (!selectorText.includes('.') || selectorText.includes('.marked')) continue;
        const hit = [...root.querySelectorAll(selectorText)].find(
          (element) => element.parentElement && closest(element.parentElement, '.marked'),
        );
        if (hit) add(`rule of the page for content: ${selectorText} (${hit.localName})`);
      }
    }
  }

  /** A sheet that the cut connection kept from loading applies nothing, and can't be read. */
  function rulesIn(sheet) {
    try {
      return sheet.cssRules;
    } catch (error) {
      if (error.name === 'SecurityError' && new URL(sheet.href).origin === location.origin) return [];
      throw error;
    }
  }

  function rulesOf(root) {
    const flat = (rules) =>
      [...rules].flatMap((rule) => [
        ...(rule.selectorText ? [rule] : []),
        ...(rule.cssRules ? flat(rule.cssRules) : []),
      ]);
    return [...root.styleSheets, ...root.adoptedStyleSheets].flatMap((sheet) => flat(rulesIn(sheet)));
  }

  /** The color behind an element: its own, or the one that shows through. */
  const groundOf = (element) => {
    for (let at = element; at; at = parentOf(at))
      if (alphaOf(styleOf(at).backgroundColor) > 0.5) return styleOf(at).backgroundColor;
    return 'Canvas';
  };
  const LINES = ['borderTop', 'borderLeft', 'outline', 'textDecorationLine', 'color'];
  const lookOf = (element) => [groundOf(element), ...LINES.map((name) => styleOf(element)[name])].join(' ');

  /** With system colors, a selected item looks different from others. */
  function chosenOf(add) {
    if (!matchMedia('(forced-colors: active)').matches) return;
    const CHOSEN = '[aria-current="true"], [aria-current="page"], [aria-pressed="true"], [aria-selected="true"]';
    for (const element of rootsOf().flatMap((root) => [...root.querySelectorAll(CHOSEN)])) {
      const name = element.classList[0];
      const around = closest(element, 'nav, ul, ol, [role=group], [role=listbox], .tabs') ?? element.parentElement;
      if (!isShown(element)) continue;
      const others = [...around.querySelectorAll(name ? `.${CSS.escape(name)}` : element.localName)];
      const other = others.find(
        (one) => one !== element && !one.matches(CHOSEN) && isShown(one) && !one.matches(':hover'),
      );
      if (other && lookOf(other) === lookOf(element)) add(`chosen looks like its siblings: ${nameOf(element)}`);
    }
  }

  function look() {
    known = {};
    const found = new Set();
    const add = (flaw) => void found.add(flaw);
    const lines = linesOf();
    overlapsOf(lines, add);
    cutsOf(lines, add);
    brokenWordsOf(lines, add);
    controlsOf(add);
    placeholdersOf(add);
    sidewaysOf(add);
    chosenOf(add);
    return found;
  }

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  /** Fonts are loaded, animations are over, and two frames in a row look the same. */
  async function settle() {
    await document.fonts.ready;
    const animations = rootsOf().flatMap((root) => root.getAnimations());
    const isEndless = ({ effect }) => effect.getComputedTiming().endTime === Infinity;
    const ending = animations.filter((animation) => animation.playState === 'running' && !isEndless(animation));
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
    const moving = new Set(animations.filter(isEndless).map(({ effect }) => effect.target));
    let before;
    for (let count = 0; count < MOST_FRAMES; count += 1) {
      await frame();
      const elements = rootsOf().flatMap((root) => [...root.querySelectorAll('*')]);
      const boxes = elements
        .filter((element) => !moving.has(element))
        .map((element) => element.getBoundingClientRect());
      const now = boxes
        .map(({ left, top, right, bottom }) => Math.round(left + 7 * top + 13 * right + 29 * bottom))
        .join();
      if (now === before) return;
      before = now;
    }
  }

  const unscaled = new Map();
  const copyOf = (style) => {
    const copy = document.createElement('i').style;
    copy.cssText = style.cssText;
    return copy;
  };

  /** Enlarges texts only: those with sizes in pixels, and those that follow the browser's setting. */
  function scaleText(factor) {
    document.documentElement.style.fontSize = factor === 1 ? '' : `${factor * 100}%`;
    const larger = (value) => value.replace(/[\d.]+(?=px)|^[\d.]+(?=em)/g, (length) => length * factor);
    for (const { style, selectorText } of rootsOf().flatMap(rulesOf)) {
      // A shorthand with a variable in it has no longhands yet.
      for (const name of ['font', 'font-size', 'line-height']) {
        const value = (unscaled.get(style) ?? style).getPropertyValue(name);
        // The widget resets the page's size, and follows the browser's.
        if (!value.includes('px') && !(value && selectorText === '.frame')) continue;
        if (!unscaled.has(style)) unscaled.set(style, copyOf(style));
        style.setProperty(name, larger(value));
      }
    }
  }

  /** The flaws that last for a while. */
  async function lasting() {
    await settle();
    const found = look();
    if (found.size === 0) return [];
    const start = document.timeline.currentTime;
    while (document.timeline.currentTime - start < STAYS) await frame();
    const again = look();
    return [...found].filter((flaw) => again.has(flaw));
  }

  /** Scrollable elements that aren't part of a text. */
  const scrollersOf = () => {
    const top = modal() ?? document.documentElement;
    const all = rootsOf().flatMap((root) => [...root.querySelectorAll('*')]);
    return all.filter((element) => {
      if (element.scrollHeight <= element.clientHeight + 1 || element.clientHeight < LEAST_HEIGHT) return false;
      if (element !== document.scrollingElement && !scrolls(styleOf(element).overflowY)) return false;
      return holds(top, element) && isShown(element) && !element.matches('pre, textarea');
    });
  };

  /** @param factor by which to enlarge the page's texts */
  return async (factor) => {
    scaleText(factor);
    const flaws = new Set(await lasting());
    strangersOf((flaw) => void flaws.add(flaw));
    for (const scroller of scrollersOf()) {
      const [before, most] = [scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight];
      const steps = Math.min(MOST_STEPS, Math.ceil(most / scroller.clientHeight));
      for (let step = 0; step <= steps; step += 1) {
        scroller.scrollTop = (most * step) / steps;
        for (const flaw of await lasting()) flaws.add(flaw);
      }
      scroller.scrollTop = before;
    }
    return [...flaws];
  };
})();
