import type { WireParts } from '../../src/contract/shapes.ts'

export type Kind = keyof WireParts

/** The kinds of tokens in the context, from the bottom of the chart to its top. */
export const KINDS: readonly { readonly kind: Kind; readonly name: string }[] = [
  { kind: 'system', name: 'System prompt' },
  { kind: 'tools', name: 'Tool schemas' },
  { kind: 'instructions', name: 'Instructions' },
  { kind: 'memory', name: 'Memory' },
  { kind: 'summary', name: 'Summary' },
  { kind: 'index', name: 'Index' },
  { kind: 'user', name: 'User' },
  { kind: 'assistant', name: 'Assistant' },
  { kind: 'reasoning', name: 'Reasoning' },
  { kind: 'tool_results', name: 'Tool results' },
]
