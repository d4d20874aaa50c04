import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { DocBlock } from './doc-blocks.ts'
import { ROOT } from './loaded-modules.ts'

/** Where each entry point of the package is in the sources: `pith/engine` is `src/engine.ts`. */
function entryPoints(): [string, string][] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string } | string>
  }
  return Object.entries(exports).flatMap(([path, target]): [string, string][] => {
    if (typeof target === 'string') return []
    const source = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    const file = path === './store/conformance' ? 'scripts/conformance.d.ts' : source
    return [[path.replace(/^\./, 'pith'), join(ROOT, file)]]
  })
}

/** The files and names that the text around the blocks mentions. */
const NAMES = `import type { LanguageModel, ToolSet } from 'ai'
import type { Message, SummaryRequest } from 'pith'
declare global {
  var messages: Message[]
  var model: LanguageModel
  var tools: ToolSet
  function askMyModel(request: SummaryRequest, signal: AbortSignal): AsyncIterable<string>
}
`

function hooks(): string {
  const urls = entryPoints().map(([name, file]) => [name, pathToFileURL(file).href])
  return `import { registerHooks } from 'node:module'
const places = new Map(${JSON.stringify(urls)})
registerHooks({ resolve: (name, context, next) => next(places.get(name) ?? name, context) })
globalThis.messages = Array.from({ length: 40 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: 'words '.repeat(200) }))
globalThis.askMyModel = async function* () { yield '## Goal\\nTo talk.' }
`
}

/** A folder in which the blocks are programs of a user who has installed Pith. */
export function docFolder(blocks: readonly DocBlock[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-docs-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  put('package.json', '{ "type": "module" }')
  put('names.d.ts', NAMES)
  put('hooks.mjs', hooks())
  put('tsconfig.json', JSON.stringify({ compilerOptions: compilerOptions(), include: ['*.ts'] }))
  copyFileSync(join(ROOT, 'test', 'fixtures', 'formats', 'claude-code.jsonl'), join(folder, 'session.jsonl'))
  for (const { name, code } of blocks) put(`${name}.ts`, `${code}\nexport {}\n`)
  return folder
}

function compilerOptions(): Record<string, unknown> {
  const { compilerOptions: ours } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const paths = Object.fromEntries(entryPoints().map(([name, file]) => [name, [file]]))
  return { ...ours, noUnusedLocals: false, noUnusedParameters: false, paths }
}
