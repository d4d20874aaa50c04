import { describe, expect, it } from 'vitest'
import { countClaudeCode } from '../../../src/formats/claude-code/index.ts'

/** The prompts that were typed by the lines of a file. */
function typedIn(...lines: readonly Record<string, unknown>[]): string[] {
  const counter = countClaudeCode()
  for (const [i, line] of lines.entries()) counter.line?.(line, i + 1)
  return counter.prompts().map(({ text }) => text)
}

function queue(operation: string, content?: string): Record<string, unknown> {
  return { type: 'queue-operation', operation, content }
}

function said(content: unknown, more: object = {}): Record<string, unknown> {
  return { type: 'user', message: { role: 'user', content }, ...more }
}

describe('the prompts that were queued', () => {
  const queued = [queue('enqueue', 'and lint'), queue('enqueue', 'and the types')]

  it('count as typed, also when they have left the queue', () => {
    expect(typedIn(...queued, queue('dequeue'))).toEqual(['and lint', 'and the types'])
  })

  it('do not count when they went back to be edited, all or those that the line names', () => {
    expect(typedIn(...queued, queue('popAll'))).toEqual([])
    expect(typedIn(...queued, queue('popOne', 'and lint'))).toEqual(['and the types'])
    expect(typedIn(...queued, { ...queue('remove', 'and lint'), reason: 'cleared_on_cancel' })).toEqual([
      'and the types',
    ])
  })

  it('do not count when they are commands or notices of programs', () => {
    expect(typedIn(queue('enqueue', '/clear'), queue('enqueue', '<task-notification>done'), queue('enqueue'))).toEqual(
      [],
    )
  })
})

it('what a person typed counts, and what programs put into the user’s role does not', () => {
  const others = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly']
  expect(
    typedIn(
      said('one'),
      said([{ type: 'text', text: 'two' }, { type: 'image' }]),
      said('three', { origin: { kind: 'human' } }),
      said('by a program', { origin: { kind: 'peer' } }),
      ...others.map((name) => said(name, { [name]: true })),
      { type: 'assistant', message: { role: 'assistant', content: 'an answer' } },
    ),
  ).toEqual(['one', 'two', 'three'])
})
