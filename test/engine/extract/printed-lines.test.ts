import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../src/engine/extract/index-delta.ts'
import { mergeIndexes, withoutEntries } from '../../../src/model/facts/log-index.ts'
import { type EntryDraft, type Message, messagesOf, outputText, resultsOf } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const FILLER = 'the text of a file that nobody needs again\n'.repeat(60)

const messages = [
  user('go'),
  call('r', 'read', { path: 'src/db.ts' }),
  result('r', `${FILLER}const port = 5432\n${FILLER}`, 'read'),
  call('b', 'bash', { command: 'cat limits.txt' }),
  result('b', `${FILLER}The pool shard_pool has 250 workers.`, 'bash'),
  assistant('There are 250 in shard_pool.'),
]

function printedIn(some: readonly Message[], ...entries: EntryDraft[]) {
  return factsIn(viewOf(appended(logOf(some), entries)).items.slice()).printed
}

describe('lines that tools printed', () => {
  it('have the entry of their result and the name of their file, and count how often the agent used them', () => {
    expect(printedIn(messages)).toEqual([
      { text: 'const port = 5432', seq: 3, file: 'db.ts', call: 2 },
      { text: 'The pool shard_pool has 250 workers.', seq: 5, times: 2 },
    ])
  })

  it('are the same when their results were masked before', () => {
    const mask = { type: 'mask' as const, targets: [3, 5], tokensBefore: 0, tokensAfter: 0 }
    expect(printedIn(messages, { ...mask, nameCharacters: 800, lineCharacters: 800 })).toEqual(printedIn(messages))
    // Handles of earlier versions quote no lines, and stay as they were sent.
    expect(printedIn(messages, { ...mask, nameCharacters: 800 })).toBeUndefined()
  })

  it('are in handles as far as there is room, the newest first', () => {
    const mask = { type: 'mask' as const, targets: [3, 5], nameCharacters: 40, lineCharacters: 40 }
    const view = viewOf(appended(logOf(messages), [{ ...mask, tokensBefore: 0, tokensAfter: 0 }]))
    const [first, second] = messagesOf(view).flatMap((one) => resultsOf(one).map(({ output }) => outputText(output)))
    expect(first).not.toContain('lines in it')
    expect(second).toMatch(
      /recall #5; names in it: shard_pool; lines in it: ‘The pool shard_pool has 250 workers\.’\]$/,
    )
  })

  it('are not taken from messages that were left out', () => {
    const out = {
      type: 'leave-out' as const,
      targets: [{ from: 2, upTo: 3, tokens: 99 }],
      requestedBy: 'user' as const,
    }
    expect(printedIn(messages, { ...out, tokensBefore: 2, tokensAfter: 1 })?.map(({ seq }) => seq)).toEqual([5])
  })

  it('are not the words of the user, of another agent or of an earlier part of the session', () => {
    const said = 'Use port 5432, with 250 workers.'
    for (const tool of ['AskUserQuestion', 'Task', 'recall', 'mcp__pith__recall'])
      expect(printedIn([user('go'), call('t', tool, { question: '?' }), result('t', said, tool)])).toBeUndefined()
    const denied = {
      type: 'error-text',
      value: `The user doesn't want to proceed with this tool use.\n${said}`,
    } as const
    const rejected: Message = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'r', toolName: 'read', output: denied }],
    }
    expect(printedIn([user('go'), call('r', 'read', { path: 'a.ts' }), rejected])).toBeUndefined()
  })

  it('are not repeated if a check, an edit or an instruction file has them', () => {
    const shown = (name: string, input: Record<string, string>) =>
      printedIn([user('go'), call('t', name, input), result('t', 'limit = 250', name)])
    expect(shown('bash', { command: 'npm test' })).toBeUndefined()
    expect(shown('write', { path: 'a.ts', content: 'limit = 250' })).toBeUndefined()
    expect(shown('read', { path: 'AGENTS.md' })).toBeUndefined()
    expect(shown('read', { path: 'a.ts' })).toHaveLength(1)
  })

  it('lose the name of their file when the user redacts its call, and go when the user redacts the result', () => {
    const index = mergeIndexes([{ printed: printedIn(messages) }])
    expect(withoutEntries(index, new Set([2])).printed?.[0]).toEqual({ text: 'const port = 5432', seq: 3 })
    expect(withoutEntries(index, new Set([3])).printed?.map(({ seq }) => seq)).toEqual([5])
  })

  it('are listed once, as they were printed last', () => {
    const line = { text: 'port = 5432', seq: 3 }
    expect(mergeIndexes([{ printed: [line] }, { printed: [line, { ...line, seq: 9 }] }]).printed).toEqual([
      { ...line, seq: 9, times: 2 },
    ])
    const many = Array.from({ length: 900 }, (_, i) => ({ text: `port = ${i}`, seq: i + 1 }))
    const used = { text: 'pool = 250', seq: 299, times: 3 }
    const { printed = [] } = mergeIndexes([{ printed: [used, ...many] }])
    expect(printed).toHaveLength(600)
    expect(printed).toContain(used)
    expect(printed.at(-1)?.seq).toBe(900)
  })
})
