import { PithError } from '../problems/errors.ts'

/** Throws an error in one line if the list has something that is not a model for summaries. */
export function checkSummaryModels(models: unknown): void {
  for (const [i, model] of checkedList(models).entries())
    if (typeof fieldOf(model, 'stream') !== 'function')
      throw new PithError('bad-argument', `summaryModels.${i}: is not { name, stream }${whoseModel(model)}`)
}

/** The list itself; empty if there is none. */
export function checkedList<T>(models: readonly T[] | undefined): readonly T[]
export function checkedList(models: unknown): readonly unknown[]
export function checkedList(models: unknown): readonly unknown[] {
  if (models === undefined) return []
  if (Array.isArray(models)) return models
  throw new PithError('bad-argument', 'summaryModels: is not a list: write [model], or [] for digests without a model')
}

/** A hint for models of frameworks: the function that turns them into a model for summaries. */
function whoseModel(model: unknown): string {
  const room = fieldOf(model, 'doStream') !== undefined ? 'ai-sdk' : fieldOf(model, 'invoke') && 'langchain'
  return room ? `: summaryModelOf() of pith/${room} converts it` : ''
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
}
