// Our bad habits in prose, and what to write instead. scripts/check-prose.mjs says where they're searched.

/** Matches whole words, even across a line break. Alternatives are separated by `|`. */
const words = (alternatives) => new RegExp(`\\b(?:${alternatives.replaceAll(' ', '\\s+')})\\b`, 'gi');

const BE = '(?:is|are|was|were|be|been|being)';
const ARTICLE = '(?:a|an|the|its|their|his)';

/** A habit is a pattern and the advice that is printed with a match. */
export const HABITS = [
  // In capitals, NOBODY is an owner on the wire.
  {
    find: /\b(?:[Nn]obody|[Ss]omebody)\b/g,
    write: '"no one", "someone", or better the person: the agent, the visitor',
  },
  { find: words('whoever|whomever|whosoever'), write: 'who it is: "the agent who …", "a client that …"' },
  { find: words('whatever|whichever'), write: '"any …", "every …", or the thing itself' },
  { find: words('to whom|of whom|for whom|with whom|by whom'), write: 'two sentences, or "who" with the verb' },
  { find: words('any more|no more(?! than)'), write: '"no longer", "not … anymore", or the present tense' },
  { find: words(`${BE} told|tells|told`), write: '"notifies", "reports", "returns", "sends", "shows", or "says"' },
  {
    find: words('(?:has|have|had|is|are|was|were) gone'),
    write: 'what happened: deleted, closed, expired, disconnected',
  },
  { find: words(`${BE} away`), write: '"AWAY" in code, "offline", "disconnected", or "absent"' },
  { find: words(`${BE} there(?! ${ARTICLE})`), write: '"exists", "is connected", "is available", or "arrived"' },
  { find: words('go(?:es|ing)? well|went well|gone well'), write: '"succeeds"' },
  { find: words('meanwhile|in the meantime'), write: '"while …", "until then", or the event' },
  { find: words('looks? at|looked at|looking at|a look|looks? for'), write: '"polls", "checks", "reads", "searches"' },
  { find: /[,;:]\s+else\b|\.\s+Else\b|\bor\s+else\b/g, write: '"otherwise", or a sentence of its own' },
  { find: words('also (?:when|if|where|without|while|after|before)'), write: '"even when …", or "… too"' },
  {
    find: words('(?:in|to|of|with|by|at|on|from|for|through|under|after) which'),
    write: 'two sentences, or "where", "when", "that"',
  },
  { find: words('the releases? before'), write: '"the previous release"' },
  { find: /\bTo be called\b/g, write: '"Call this when …"' },
  { find: words('mends?|mended|mending'), write: '"fixes", "repairs", "recovers"' },
  { find: words('gives? (?:it |them )?on|gave on|given on|giving on'), write: '"passes on", "forwards", "routes"' },
  { find: words('hands? on|handed on|handing on'), write: '"releases", "passes on", "forwards"' },
  {
    find: words('those (?:that|who|which|whose|of)|(?:is|are) that of'),
    write: 'the noun itself, or its adjective: "unused tokens", not "those that aren\'t used"',
  },
  { find: words('none who|for so long|so long as'), write: 'the noun: "agents who …"; "while …"' },
  { find: words('at once'), write: '"immediately" or "together"' },
  {
    find: words(`of ${ARTICLE} \\w+ of ${ARTICLE} \\w+`),
    write: 'a compound noun: "the chat\'s agent", "an agent\'s sockets"',
  },
  { find: words('hears?|heard'), write: '"receives", "is notified"' },
  {
    find: words('anew|for ever|ere|hitherto|thereof|therein|thereby|wherein|whereby|lest'),
    write: 'a word of today: "again", "forever", "where"',
  },
  { find: words('the like'), write: '"similar", or the things' },
  {
    find: words(
      'behaviours?|colours?|neighbours?|favour\\w*|honour\\w*|licences?|grey|whilst|amongst|cancelled|labelled|organis\\w+|recognis\\w+|serialis\\w+|normalis\\w+|initialis\\w+',
    ),
    write: 'the American spelling',
  },
];

/** Words that a test's name may not begin with, because it stands alone in a log. */
export const TITLE_HABITS = [
  {
    find: /^(?:is|are|has|have|does|do|was|were|can|may|and|or|but)\b/g,
    write: 'a sentence with its subject: "a closed chat is …"',
  },
];
