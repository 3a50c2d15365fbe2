// The subjects of commits are prose too: `area: what, in the imperative`, several with `; ` between them. Each is understandable alone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MOST_CHARACTERS = 160;
/** Verbs that end like another form of a verb. */
const IMPERATIVE =
  /^(?:address|bypass|compress|cross|discuss|dismiss|embed|express|feed|focus|guess|need|pass|press|process|seed|shed|speed|stress|suppress|bring|ring|string)$/;
const VAGUE =
  /^(?:address|apply|fix|mend|update|improve|change)(?: (?:the|a|some|more|other|last))? ?(?:tests?|review|comments?|feedback|findings|things|bugs?|stuff|code|files?|it)?$/i;

/** What's wrong with the subjects of commits. Commits before the first schema that's upgraded aren't read. */
export function checkSubjects() {
  const first = readFileSync('test/upgrade/first-commit.txt', 'utf8').trim();
  return listSubjects(first).flatMap(({ commit, subject }) => {
    const write = findFault(subject);
    return write === null ? [] : [{ path: `commit ${commit}`, line: 1, words: subject, write }];
  });
}

// A copy without its history has no subjects.
function listSubjects(first) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  try {
    const lines = execFileSync('git', ['log', '--no-merges', '--format=%h %s', `${first}..HEAD`], options).split('\n');
    return lines.filter(Boolean).map((line) => ({ commit: line.split(' ')[0], subject: line.replace(/^\S+ /, '') }));
  } catch {
    return [];
  }
}

function findFault(subject) {
  if (subject.length > MOST_CHARACTERS) return `at most ${MOST_CHARACTERS} characters`;
  if (subject.endsWith('.')) return 'no period at the end';
  for (const part of subject.split(/; (?=[\w./ -]+: )/)) {
    const [, verb, rest] = /^[a-z][\w./ -]*(?:, [\w./ -]+)*: ([\w'-]+)(.*)$/.exec(part) ?? [];
    if (verb === undefined) return '"area: what"';
    if (/(?:ed|ing|[^s]s)$/i.test(verb) && !IMPERATIVE.test(verb)) return `the imperative instead of "${verb}"`;
    if (VAGUE.test(`${verb}${rest}`)) return 'what changes, so that the subject is understandable alone';
  }
  return null;
}
