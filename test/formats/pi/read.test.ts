import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, viewOf } from '../../../src/engine.ts'
import { readPiBranch } from '../../../src/formats/pi/read.ts'
import { textOf } from '../../../src/model/types.ts'
import { ANSWERED, decoded, fixture } from '../fixture.ts'

const viewWords = (name: string) => messagesOf(viewOf(decoded(fixture(name)).entries)).map(textOf)

describe('a session of pi', () => {
  it('of version 1 keeps what its compaction kept, by place', () => {
    expect(viewWords('pi-v1.jsonl')).toEqual([
      expect.stringContaining('<summary>\nThe port is 8081 now.\n</summary>'),
      ANSWERED,
      'Fix the test too.',
    ])
    expect(decoded(fixture('pi-v1.jsonl')).compactions).toMatchObject([
      { summary: 'The port is 8081 now.', tokensBefore: 1_234 },
    ])
  })

  it('of version 3 follows the last branch, with the summary of the one that was left', () => {
    const words = viewWords('pi-v3.jsonl')
    expect(words).not.toContain('A branch that was left.')
    expect(words.at(-2)).toContain('A branch was tried and left.')
    expect(words.at(-1)).toBe('Ran `git status`\n```\nclean\n```')
    expect(decoded(fixture('pi-v3.jsonl')).title).toBe('The port')
  })

  it('leaves out answers that broke off, as pi does', () => {
    expect(viewWords('pi-v3.jsonl')).not.toContain('half an ans')
  })
})

it('a command of pi that is not an error has the status 0', () => {
  const text = fixture('pi-v3.jsonl').replace('Command exited with code 1"}],"isError":true', 'fine"}],"isError":false')
  const { commands } = indexDelta(viewOf(decoded(text).entries).items.slice())
  expect(commands).toMatchObject([{ command: 'npm test', ok: true, exit: 0 }])
})

describe('a command that the user of pi ran', () => {
  const shown = (message: object) => {
    const lines = [
      { type: 'session', version: 3, id: 's', cwd: '/repo' },
      { type: 'message', id: 'a', parentId: null, message: { role: 'bashExecution', ...message } },
    ]
    return messagesOf(viewOf(decoded(lines.map((line) => JSON.stringify(line)).join('\n')).entries)).map(textOf)[0]
  }
  const full = '/tmp/pi.log'

  it.each([
    [{ command: 'ls', output: 'a.ts', exitCode: 0 }, 'Ran `ls`\n```\na.ts\n```'],
    [{ command: 'ls', exitCode: 2 }, 'Ran `ls`\n(no output)\n\nCommand exited with code 2'],
    [{ command: 'ls', cancelled: true, exitCode: 2 }, 'Ran `ls`\n(no output)\n\n(command cancelled)'],
    [
      { command: 'ls', truncated: true, fullOutputPath: full },
      `Ran \`ls\`\n(no output)\n\n[Output truncated. Full output: ${full}]`,
    ],
    [{ command: 'ls', truncated: true }, 'Ran `ls`\n(no output)'],
    [{ command: 'ls', fullOutputPath: full }, 'Ran `ls`\n(no output)'],
    [{ output: 'a.ts' }, 'Ran ``\n```\na.ts\n```'],
  ])('is shown as pi shows it: %o', (message, expected) => {
    expect(shown(message)).toBe(expected)
  })
})

describe('what the extension for pi noted', () => {
  const text = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n')
  const said = (id: string, parentId: string | null, message: object) => ({ type: 'message', id, parentId, message })
  const branch = [
    said('a', null, { role: 'user', content: 'Read it.' }),
    said('b', 'a', { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'read', arguments: {} }] }),
    said('c', 'b', {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [{ type: 'text', text: 'x'.repeat(500) }],
    }),
    { type: 'custom', id: 'd', parentId: 'c', customType: 'pith-mask', data: { targets: ['c', 'gone'] } },
    { type: 'custom', id: 'e', parentId: 'd', customType: 'of-another', data: { targets: ['c'] } },
  ]

  it('masks the result that it names, and nothing that is gone', () => {
    const { entries } = decoded(text([{ type: 'session', version: 3, id: 's', cwd: '/repo' }, ...branch]))
    expect(entries.at(-1)).toMatchObject({ type: 'mask', targets: [3] })
    expect(
      messagesOf(viewOf(entries))
        .map((message) => JSON.stringify(message))
        .at(-1),
    ).toContain('recall #3')
  })

  it('is not what another extension noted', () => {
    const ofAnother = { type: 'custom', id: 'd', parentId: 'c', customType: 'of-another', data: { targets: ['c'] } }
    const lines = [{ type: 'session', version: 3, id: 's', cwd: '/repo' }, ...branch.slice(0, 3), ofAnother]
    expect(decoded(text(lines)).entries.map(({ type }) => type)).toEqual(['message', 'message', 'message'])
  })

  it('has the same numbers in memory as in the file', () => {
    const { entries } = decoded(text([{ type: 'session', version: 3, id: 's', cwd: '/repo' }, ...branch]))
    const read = readPiBranch(branch)
    expect(read.log.map(({ seq, type }) => [seq, type])).toEqual(entries.map(({ seq, type }) => [seq, type]))
    expect(read.seqs.get('c')).toBe(3)
  })
})
