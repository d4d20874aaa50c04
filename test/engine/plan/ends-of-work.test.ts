import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { endOfWork } from '../../../src/engine/plan/ends-of-work.ts'
import type { EntryDraft, Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const endOf = (...messages: Message[]) => endOfWork(viewOf(logOf([user('Do it.'), ...messages])).items)

let calls = 0
/** A call and its result. */
function step(toolName: string, input: object, output = ''): Message[] {
  const id = `call-${++calls}`
  return [call(id, toolName, input), result(id, output, toolName)]
}
const edit = () => step('edit', { path: 'src/a.ts', oldText: 'a', newText: 'b' }, 'Edited src/a.ts')
const run = (command: string, output: string) => step('Bash', { command }, output)
const PASSED = 'Test Files  1 passed (1)\n      Tests  3 passed (3)'

describe('an end of work', () => {
  it('is an answer without calls, also when the user has spoken again', () => {
    expect(endOf(assistant('Done.'))).toBe('turn')
    expect(endOf(assistant('Done.'), user('Now the docs.'), user('And the tests.'))).toBe('turn')
  })

  it('is a test run that passed after an edit in the same turn', () => {
    expect(endOf(...edit(), ...run('npx vitest run', PASSED))).toBe('tests')
    expect(endOf(...run('npx vitest run', PASSED))).toBeUndefined()
    expect(endOf(...edit(), ...run('npx vitest run | tail', 'Tests  1 failed | 2 passed (3)'))).toBeUndefined()
    expect(endOf(...edit(), assistant('Done.'), user('Run them.'), ...run('npx vitest run', PASSED))).toBeUndefined()
  })

  it('is a commit that was made', () => {
    expect(endOf(...run('git commit -m "Fix it"', '[main 1a2b3c4] Fix it\n 1 file changed'))).toBe('commit')
    expect(endOf(...run('git commit -m "Fix it"', 'nothing to commit, working tree clean'))).toBeUndefined()
    expect(endOf(...run('git log --oneline', '1a2b3c4 Fix it'))).toBeUndefined()
  })

  it('is the last of the to-dos, whether the list is written as a whole or item by item', () => {
    const list = (status: string) =>
      step('TodoWrite', {
        todos: [
          { content: 'a', status },
          { content: 'b', status: 'completed' },
        ],
      })
    expect(endOf(...list('completed'))).toBe('todos')
    expect(endOf(...list('in_progress'))).toBeUndefined()
    const create = (id: number) => step('TaskCreate', { subject: `task ${id}` }, `Task #${id} created successfully`)
    const done = (id: number) => step('TaskUpdate', { taskId: `${id}`, status: 'completed' }, `Updated task #${id}`)
    expect(endOf(...create(1), ...create(2), ...done(1))).toBeUndefined()
    expect(endOf(...create(1), ...create(2), ...done(1), ...done(2))).toBe('todos')
  })

  it('is not the last to-do in view if a record has one that is open', () => {
    const done = step('TaskUpdate', { taskId: '2', subject: 'task 2', status: 'completed' }, 'Updated task #2')
    const log = logOf([user('Do it.'), assistant('a'), user('b'), assistant('c')])
    const endAfter = (status: 'pending' | 'done') =>
      endOfWork(
        viewOf(appended(log, [recorded(status), ...done.map((message): EntryDraft => ({ type: 'message', message }))]))
          .items,
      )
    expect(endAfter('pending')).toBeUndefined()
    expect(endAfter('done')).toBe('todos')
  })

  it('is found without reading what came before the last list of to-dos', () => {
    const list = step('TodoWrite', { todos: [{ content: 'a', status: 'completed' }] })
    const { items } = viewOf(logOf([user('Do it.'), ...Array.from({ length: 500 }, edit).flat(), ...list]))
    const read = new Set<number>()
    const watched = new Proxy(items, {
      get: (target, name) => {
        if (name === 'at') return (index: number) => read.add(index) && target.at(index)
        if (name !== 'slice') return Reflect.get(target, name, target)
        return (from: number, to: number) => {
          for (let index = from; index < to; index++) read.add(index)
          return target.slice(from, to)
        }
      },
    })
    expect(endOfWork(watched)).toBe('todos')
    expect(read.size).toBeLessThan(10)
  })

  it('is a command that runs on in the background, and a look at it before it ends', () => {
    expect(endOf(...run('npm run build', 'Command running in background with ID: b1'))).toBe('waiting')
    expect(endOf(...step('BashOutput', { bash_id: 'b1' }, '<status>running</status>\n\n<stdout>…</stdout>'))).toBe(
      'waiting',
    )
    expect(endOf(...step('BashOutput', { bash_id: 'b1' }, '<status>completed</status>'))).toBeUndefined()
  })
})

describe('inside a chain of calls there is none', () => {
  it('after an edit, a read, a call without a result, or a word of the user in between', () => {
    expect(endOf(...edit())).toBeUndefined()
    expect(endOf(...run('cat src/a.ts', 'x'))).toBeUndefined()
    expect(endOf(call('c', 'read', { path: 'a.ts' }))).toBeUndefined()
    expect(endOf(...edit(), user('Use tabs.'))).toBeUndefined()
  })

  it('nor at the beginning', () => {
    expect(endOf()).toBeUndefined()
    expect(endOfWork(viewOf([]).items)).toBeUndefined()
  })
})

function recorded(status: 'pending' | 'done'): EntryDraft {
  return {
    type: 'compaction',
    from: 1,
    upTo: 3,
    keep: [],
    summary: 's',
    frame: 'pith',
    indexDelta: { files: [], users: [], todos: [{ kind: 'change', seq: 2, id: '1', text: 'task 1', status }] },
    messages: 3,
    reason: 'manual',
    rung: 'cold',
    tokensBefore: 1,
    tokensAfter: 1,
  }
}
