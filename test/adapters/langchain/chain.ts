type ChainCall = { id: string; name: string; args: unknown }

/** A message as LangChain's classes have it. */
export class Chain {
  readonly content: unknown
  readonly tool_calls?: readonly ChainCall[]
  readonly tool_call_id?: string
  readonly kind: string

  constructor(given: { content: unknown; tool_calls?: readonly ChainCall[]; tool_call_id?: string; kind?: string }) {
    this.content = given.content
    this.tool_calls = given.tool_calls
    this.tool_call_id = given.tool_call_id
    this.kind = given.kind ?? (given.tool_call_id === undefined ? 'human' : 'tool')
  }

  getType(): string {
    return this.kind
  }
}

/** A call of a tool and its long result. */
export function chainStep(i: number): Chain[] {
  return [
    new Chain({ kind: 'ai', content: '', tool_calls: [{ id: `c${i}`, name: 'read', args: { path: `f${i}.ts` } }] }),
    new Chain({ content: `export const value${i} = ${i}\n`.repeat(120), tool_call_id: `c${i}` }),
  ]
}

export function chainList(steps: number): Chain[] {
  return [new Chain({ content: 'Read all files.' }), ...Array.from({ length: steps }, (_, i) => chainStep(i)).flat()]
}
