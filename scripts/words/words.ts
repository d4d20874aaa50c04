/** A word of our old dialect, and the plain English for it. */
type BannedWord = { readonly pattern: RegExp; readonly word: string; readonly instead: string }

const BANNED_WORDS: readonly BannedWord[] = [
  { word: 'told', pattern: /\btold\b/i, instead: 'shown, reported, listed, quoted or sent' },
  { word: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { word: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { word: 'stands', pattern: /\bstands\b/i, instead: 'is, goes or appears' },
  { word: 'in the place of', pattern: /\bin the place of\b/i, instead: 'instead of' },
  { word: 'hand-on', pattern: /\bhand-on\b/i, instead: 'handoff' },
  {
    word: 'What or Who as the subject of a comment',
    pattern: /(?:\/\*\*|\/\/|^\s*\*) (?:What|Who|Whoever) (?!.*\?)/,
    instead: 'the thing itself',
  },
]

/** Lines that may have such a word, by the file that they are in. */
type WordException = { readonly file: RegExp; readonly line: RegExp; readonly why: string }

const EXCEPTIONS: readonly WordException[] = [
  { file: /^CONTRIBUTING\.md$/, line: /\*told\*/, why: 'the list itself' },
  { file: /^test\/fixtures\//, line: /./, why: 'sessions and files of others' },
  { file: /^bench\/results\//, line: /./, why: 'measured before the check' },
  { file: /^scripts\/words\/|^test\/scripts\/words\.test\.ts$/, line: /./, why: 'the list itself' },
  {
    // Not in a comment or a title.
    file: /^test\//,
    line: /^(?!\s*(?:\/\/|\/?\*|\]\)|(?:it|test|describe)\b)).*['"`/].*\b(?:mend|anew)/i,
    why: 'words of sessions and files in tests',
  },
  {
    file: /^test\/(?:adapters|cli|engine\/record|programs\/web|study|support)\//,
    line: /many things that have to be told|"told \$1"|'told UserPromptSubmit|- It stands\.|'To be told in no words|The heron stands|told the user what/,
    why: 'words of sessions and files in tests',
  },
  {
    file: /^src\/cli\/commands\/handoff\/|^test\/programs\/cli\/handoff|^docs\/commands\.md|^CHANGELOG\.md/,
    line: /hand-on/,
    why: 'the former name, which still works',
  },
  {
    file: /^src\/engine\/record\/prompts\/|^test\/engine\/record\/prompts\//,
    line: /told the agent/,
    why: 'the user did tell the agent',
  },
  {
    file: /^bench\/|^scripts\/docs\/|^docs\/how-it-works\.md$/,
    line: /far references told|uncommitted work told|retention[/-]told/,
    why: 'names in committed results',
  },
  { file: /^bench\/judge\/prompts\.ts$/, line: /Its answer stands/, why: 'a prompt that was measured' },
  { file: /^src\/store\/migrations\//, line: /./, why: 'a released step never changes' },
  { file: /^src\/engine\/compact\/verify\/quotations\.ts$/, line: /\|told\|/, why: "words of a model's summary" },
  {
    file: /^src\/formats\/shared\/parent-chain\.ts$|^test\/engine\/report\/issue-lines\.test\.ts$/,
    line: /what stands before it/,
    why: 'stored in golden files',
  },
  { file: /^CONTEXT\.md$/, line: /stands_for/, why: 'on the wire' },
  { file: /^CHANGELOG\.md$/, line: /`mended`/, why: 'a former name' },
]

type FoundWord = { readonly line: number; readonly word: string; readonly instead: string }

/** The banned words of a file, by line. */
export function bannedWordsIn(file: string, text: string): FoundWord[] {
  const exceptions = EXCEPTIONS.filter((exception) => exception.file.test(file))
  return text.split('\n').flatMap((line, i) =>
    exceptions.some((exception) => exception.line.test(line))
      ? []
      : BANNED_WORDS.filter(({ pattern }) => pattern.test(line)).map(({ word, instead }) => ({
          line: i + 1,
          word,
          instead,
        })),
  )
}
