import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { entryPoints, exportedNames } from '../../scripts/docs/api-surface.ts'
import { ROOT } from './loaded-modules.ts'

/** A program in the documentation, by the place where it starts. */
export type DocBlock = { readonly name: string; readonly code: string; readonly runs: boolean }

/**
 * The TypeScript blocks of README, docs and the comments of the public functions. One that imports only Pith and Node is run too, unless it says `ts no-run`; one
 * that says `ts run` is run in any case.
 */
export function docBlocks(): DocBlock[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  const files = ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))]
  return [
    ...files.flatMap((file) => blocksIn(readFileSync(join(ROOT, file), 'utf8'), relative('.', file))),
    ...exampleBlocks(),
  ]
}

/** The examples in the comments of what the package exports. */
function exampleBlocks(): DocBlock[] {
  const all = [...entryPoints().values()].flatMap((file) => exportedNames(file))
  const unlike = new Map(all.map((each) => [each.name, each]))
  return [...unlike.values()].flatMap(({ name, comment }) => blocksIn(comment, `example-of-${name}.md`))
}

/** The blocks of a Markdown text. */
export function blocksIn(text: string, file: string): DocBlock[] {
  const place = (index: number) => text.slice(0, index).split('\n').length
  return [...text.matchAll(/^```(?:ts|typescript)\b([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: words = '', 2: code = '', index }) => ({
      name: `${file.replace(/\.md$/, '').replaceAll(/[\\/]/g, '-')}-line-${place(index)}`,
      code,
      runs: !words.includes('no-run') && (/\brun\b/.test(words) || importsOnlyOurs(code)),
    }),
  )
}

function importsOnlyOurs(code: string): boolean {
  const names = [...code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
  return names.every((name) => /^(pith(\/|$)|node:)/.test(name))
}
