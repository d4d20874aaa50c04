import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hashOf } from '../hash-of.ts'
import { projectModules } from './modules.ts'
import type { Document, Kind } from './sample.ts'

const KIND_OF: Record<string, Kind> = {
  '.js': 'code',
  '.mjs': 'code',
  '.cjs': 'code',
  '.ts': 'code',
  '.mts': 'code',
  '.md': 'prose',
  '.mdx': 'prose',
  '.txt': 'prose',
  '.json': 'json',
}

/** Texts in other languages are measured as such, and one language's file says little about another's. */
const TRANSLATED = /locales|README\.[a-z]{2}/

const LARGEST_FILE = 400_000

/** Code, prose and JSON of the project's own packages. A package is fitted on or held out as a whole. */
export function documentsOfPackages(): Document[] {
  const documents: Document[] = []
  for (const name of packageNames()) {
    const heldOut = hashOf(name) % 5 < 2
    for (const file of filesOf(join(projectModules, name))) {
      const kind = KIND_OF[extname(file)]
      if (kind === undefined || TRANSLATED.test(file) || statSync(file).size > LARGEST_FILE) continue
      const text = readFileSync(file, 'utf8')
      if (text.length < 300) continue
      documents.push({ kind: isMinified(kind, text) ? 'minified' : kind, source: shortName(file), heldOut, text })
    }
  }
  return documents
}

/** The same code after a minifier. `rolldown` comes with vitest. */
export async function minifiedDocuments(code: readonly Document[]): Promise<Document[]> {
  const { minifySync } = (await import(
    pathToFileURL(join(projectModules, 'rolldown/dist/utils-index.mjs')).href
  )) as Minifier
  return code
    .filter(({ kind, source, text }) => kind === 'code' && /\.[mc]?js$/.test(source) && text.length > 4_000)
    .map((document) => ({
      ...document,
      kind: 'minified' as const,
      text: minifySync(basename(document.source), document.text).code,
    }))
    .filter(({ text }) => text.length > 1_000)
}

type Minifier = { minifySync: (file: string, text: string) => { code: string } }

function packageNames(): string[] {
  return readdirSync(projectModules)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(projectModules, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .filter((name) => !name.startsWith('.'))
    .toSorted()
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

function isMinified(kind: Kind, text: string): boolean {
  return kind === 'code' && text.length / text.split('\n').length > 250
}

function shortName(file: string): string {
  return relative(projectModules, file).replaceAll('\\', '/')
}
