import { type ExportedName, entryPoints, exportedNames } from './api-surface.ts'
import { code, GENERATED, page } from './markdown.ts'

/** The purpose of each entry point, except that of the parts. */
const ABOUT: Readonly<Record<string, string>> = {
  pith: 'Messages in, messages out, and a log of your own. It runs in Node, browsers and workers.',
  'pith/ai-sdk': 'For agents on the AI SDK 7: [ai-sdk.md](ai-sdk.md).',
  'pith/langchain':
    'For agents of LangChain and LangGraph: [library.md](library.md#on-langchain-the-openai-agents-sdk-or-mastra).',
  'pith/openai-agents':
    'For the OpenAI Agents SDK: [library.md](library.md#on-langchain-the-openai-agents-sdk-or-mastra).',
  'pith/mastra': 'For agents of Mastra: [library.md](library.md#on-langchain-the-openai-agents-sdk-or-mastra).',
  'pith/opentelemetry': 'A span and metrics of each compaction: [library.md](library.md#watching-opentelemetry).',
  'pith/formats': 'Sessions and lists of messages of others, read and written: [formats.md](formats.md).',
  'pith/models': 'The registry of models: windows, limits, prices.',
  'pith/store':
    'Sessions in SQLite or PostgreSQL, and the interface for a store of your own; `pith/store/conformance` has the suite for it.',
  'pith/client': 'The HTTP API of `pith serve` for TypeScript: [deploy.md](deploy.md#a-client-for-typescript).',
  'pith/session': 'Sessions of a store: open, compact, undo, find again.',
  'pith/opencode':
    'The plug-in for opencode, which loads it itself: [plugins.md](plugins.md). `pith/server` is the same file under the name that opencode wants: in a package it looks for the export `./server`, and `opencode plugin pith` finds no plug-in without it (seen on 1.18.33). It has nothing to do with `pith serve`.',
  'pith/pi': 'The extension for pi, which loads it itself: [plugins.md](plugins.md).',
}

const PARTS = 'pith/engine'

/** docs/api.md: every name that the package exports. A change of the surface changes this page, and a test compares them. */
export function apiPage(): string {
  const files = entryPoints()
  const sections = Object.entries(ABOUT).flatMap(([name, about]) => {
    const file = files.get(name)
    if (file === undefined) throw new Error(`package.json does not export ${name}`)
    return [`## ${code(name)}`, about, ...exportedNames(file).map(nameText)]
  })
  const parts = exportedNames(files.get(PARTS) ?? '').map(({ name }) => code(name))
  return page(
    GENERATED,
    '# The API',
    'Every name that the package exports, with its declaration. [library.md](library.md) says how to use them.',
    ...sections,
    `## ${code(PARTS)}`,
    'The parts that the functions above are made of, for people who build something else of them. They may change with any minor version.',
    `${parts.join(', ')}.`,
  )
}

function nameText({ name, comment, signature }: ExportedName): string {
  const about = comment.split(/^@/m)[0]?.trim().replaceAll('\n', ' ') ?? ''
  // A function may be exported under another name than its own.
  const declared = signature.replace(/^((?:async )?function )\w+/, (own, before: string) =>
    name === 'default' ? own : before + name,
  )
  return `**${name}**${about === '' ? '' : `: ${about}`}\n\n\`\`\`dts\n${declared}\n\`\`\``
}
