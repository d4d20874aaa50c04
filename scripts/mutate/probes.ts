import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { Range } from './changes.ts'

/** A function of a source file; `id` names it in the list of functions that a test ran. */
export type SourceFunction = Range & { readonly id: string }

export type ProbedSource = {
  /** The source text that notes which of its functions run. */
  readonly text: string
  readonly functions: readonly SourceFunction[]
}

type Insertion = { readonly at: number; readonly text: string }

/** Puts a probe into each function of a source text. A probe adds a line to the file `list`, in whatever process it runs. */
export function withProbes(file: string, text: string, list: string): ProbedSource {
  const functions: SourceFunction[] = []
  const insertions: Insertion[] = [{ at: text.length, text: noteReached(list) }]

  function probe(node: Range, body: Range & { readonly type: string }): void {
    const id = `${file}:${node.start}`
    functions.push({ start: node.start, end: node.end, id })
    const call = `noteReached(${JSON.stringify(id)})`
    if (body.type === 'BlockStatement') insertions.push({ at: body.start + 1, text: `${call};` })
    else insertions.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ')' })
  }
  const probeFunction = (node: ESTree.Function) => {
    if (node.body !== null) probe(node, node.body)
  }

  new Visitor({
    FunctionDeclaration: probeFunction,
    FunctionExpression: probeFunction,
    ArrowFunctionExpression: (node) => probe(node, node.body),
  }).visit(parseSync(file, text).program)
  return { text: inserted(text, insertions), functions }
}

/** Whether a test that ran these functions ran the code of a range. Code outside of functions runs with any of them. */
export function isReached(range: Range, functions: readonly SourceFunction[], reached: ReadonlySet<string>): boolean {
  const around = functions.filter(({ start, end }) => start <= range.start && range.end <= end)
  const innermost = around.toSorted((a, b) => b.start - a.start)[0]
  if (innermost !== undefined) return reached.has(innermost.id)
  return functions.length === 0 || functions.some(({ id }) => reached.has(id))
}

function inserted(text: string, insertions: readonly Insertion[]): string {
  let result = text
  for (const { at, text: added } of insertions.toSorted((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + added + result.slice(at)
  }
  return result
}

/** Imports nothing: there are tests that look at the imports of the source. */
function noteReached(list: string): string {
  return `
function noteReached(id) {
  globalThis.reachedFunctions ??= new Set()
  if (globalThis.reachedFunctions.has(id)) return
  globalThis.reachedFunctions.add(id)
  try {
    process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(list)}, id + '\\n')
  } catch {}
}
`
}
