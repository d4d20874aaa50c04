import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, viewOf } from '../../src/engine/index.ts'
import { callsOf, textOf } from '../../src/model/message.ts'
import { ANSWERED, ASKED, decoded, fixture } from './fixture.ts'

const viewWords = (name: string) => messagesOf(viewOf(decoded(fixture(name)).entries)).map(textOf)

describe('a Codex rollout', () => {
  const session = decoded(fixture('codex.jsonl'))

  it('keeps instructions apart from the conversation', () => {
    expect(session.system).toEqual([
      'You are a coding agent.',
      'Sandboxing is off.',
      expect.stringContaining('AGENTS.md instructions'),
    ])
  })

  it('keeps encrypted reasoning, and the calls of all its kinds', () => {
    const answer = messagesOf(viewOf(session.entries))[1]
    expect(answer?.content[0]).toMatchObject({
      providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAAAAB=' } },
    })
    const names = messagesOf(viewOf(session.entries))
      .flatMap(callsOf)
      .map((call) => call.toolName)
    expect(names).toEqual(['exec_command', 'apply_patch', 'local_shell', 'update_plan'])
  })

  it('tells the model and what the provider counted', () => {
    expect(session.models).toEqual(['openai/gpt-5.5'])
    const usages = session.entries.flatMap((entry) =>
      entry.type === 'message' && entry.usage ? [entry.usage.inputTokens] : [],
    )
    expect(usages).toEqual([1_000, 1_200, 1_500])
  })

  it('takes the first count behind an answer for its own: later ones belong to other requests', () => {
    const info = { last_token_usage: { input_tokens: 9, output_tokens: 9 } }
    const later = JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info } })
    expect(decoded(`${fixture('codex.jsonl')}${later}\n`).entries).toEqual(session.entries)
  })

  it('has a view of the summary and the messages that a compaction kept, without turns that were taken back', () => {
    expect(viewWords('codex-compacted.jsonl')).toEqual([
      'Another language model started this. The port is 8081 now.',
      ASKED,
      'Fix the test too.',
      'Done.',
    ])
  })

  it('keeps the summary that a session began with through a compaction of its own', () => {
    const say = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const line = (message: string, ...history: string[]) =>
      JSON.stringify({ type: 'compacted', payload: { message, replacement_history: history.map(say) } })
    const [meta = ''] = fixture('codex.jsonl').split('\n')
    const next = JSON.stringify({ type: 'response_item', payload: say('Go on.') })
    const { entries } = decoded(
      [meta, line('ours', 'ours'), next, line('theirs', 'ours', 'Go on.', 'theirs')].join('\n'),
    )
    expect(messagesOf(viewOf(entries)).map(textOf)).toEqual(['ours\n\ntheirs', 'Go on.'])
  })

  it('says so where its summary is encrypted', () => {
    const text = fixture('codex-compacted.jsonl').replace(/"message":"Another language model[^"]*"/, '"message":""')
    expect(messagesOf(viewOf(decoded(text).entries)).map(textOf)[0]).toMatch(/encrypted/)
  })

  it('names the session that it was forked from', () => {
    const [meta = '', ...rest] = fixture('codex.jsonl').split('\n')
    const fork = [meta.replace('000000000001', '000000000002'), meta, ...rest].join('\n')
    expect(decoded(fork)).toMatchObject({
      sessionId: '019d0000-0000-7000-8000-000000000002',
      forkedFrom: '019d0000-0000-7000-8000-000000000001',
    })
  })

  it('is read in the form of the first versions too: bare items', () => {
    const bare = fixture('codex.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line.type === 'response_item')
      .map((line) => JSON.stringify(line.payload))
    const head = JSON.stringify({ id: 'old', timestamp: '2025-06-01T10:00:00Z', instructions: null })
    const old = decoded([head, ...bare].join('\n'))
    expect(old).toMatchObject({ format: 'codex', sessionId: 'old' })
    expect(old.counts.calls).toBe(4)
  })
})

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

describe('an export of opencode', () => {
  const session = decoded(fixture('opencode.json'))

  it('shows results that the agent no longer sends as masked', () => {
    const long = 'a long line of a file\\n'.repeat(100)
    const { entries } = decoded(fixture('opencode.json').replace('export const port = 8080\\n', long))
    expect(JSON.stringify(messagesOf(viewOf(entries)))).not.toContain('a long line of a file')
    expect(JSON.stringify(entries)).toContain('a long line of a file')
  })

  it('tells title, folder, model and usage', () => {
    expect(session).toMatchObject({ title: 'The port', workspace: '/repo', models: ['openai/gpt-5.3-codex'] })
    const [, answer] = session.entries
    expect(answer?.type === 'message' && answer.usage).toMatchObject({ inputTokens: 1_200, outputTokens: 60 })
  })

  it('goes on from its own summary', () => {
    const document = JSON.parse(fixture('opencode.json'))
    const info = (id: string, role: string, more = {}) => ({ id, role, time: { created: 1_772_359_240_000 }, ...more })
    document.messages.push(
      { info: info('msg_4', 'user'), parts: [{ type: 'compaction', auto: true }] },
      { info: info('msg_5', 'assistant', { summary: true }), parts: [{ type: 'text', text: 'The port is 8081 now.' }] },
      { info: info('msg_6', 'user'), parts: [{ type: 'text', text: 'Fix the test too.' }] },
    )
    const compacted = decoded(JSON.stringify(document))
    expect(messagesOf(viewOf(compacted.entries)).map(textOf)).toEqual(['The port is 8081 now.', 'Fix the test too.'])
    expect(compacted.compactions).toMatchObject([{ trigger: 'auto' }])
  })
})

describe('a chat of Gemini CLI', () => {
  it('reads the same as a document and as lines with patches and rewinds', () => {
    expect(decoded(fixture('gemini.jsonl')).entries).toEqual(decoded(fixture('gemini.json')).entries)
    expect(decoded(fixture('gemini.jsonl'))).toMatchObject({ title: 'The port', models: ['google/gemini-3-pro'] })
  })

  it('takes a snapshot of the state for a compaction', () => {
    const document = JSON.parse(fixture('gemini.json'))
    document.messages.unshift({ id: 'g0', type: 'user', content: '<state_snapshot>All is well.</state_snapshot>' })
    expect(decoded(JSON.stringify(document)).compactions).toHaveLength(1)
  })
})

describe('a session of Copilot CLI', () => {
  it('keeps sub-agents apart', () => {
    const session = decoded(fixture('copilot.jsonl'))
    expect(session.sidechains).toMatchObject([{ id: 't4' }])
    expect(viewWords('copilot.jsonl')).not.toContain('Find the callers.')
  })

  it('goes on from its own summary', () => {
    expect(viewWords('copilot-compacted.jsonl')).toEqual(['The port is 8081 now.', 'Fix the test too.'])
  })
})

it('mini-SWE-agent ran no command of an answer that it refused for having two', () => {
  const document = JSON.parse(fixture('mini-swe-agent.traj.json'))
  document.messages[4].content += '\n\n```bash\nrm src/other.ts\n```'
  document.messages[5].content = 'Please always provide EXACTLY ONE action in triple backticks, found 2 actions.'
  const { files } = indexDelta(viewOf(decoded(JSON.stringify(document)).entries).items.slice())
  expect(files?.map((file) => file.path)).toEqual(['src/config.ts'])
})

it('a command of pi that is no error has the status 0', () => {
  const text = fixture('pi-v3.jsonl').replace('Command exited with code 1"}],"isError":true', 'fine"}],"isError":false')
  const { commands } = indexDelta(viewOf(decoded(text).entries).items.slice())
  expect(commands).toMatchObject([{ command: 'npm test', ok: true, exit: 0 }])
})

it('a file of OpenHands with several sessions has the first as its log and the others beside it', () => {
  const session = decoded(fixture('openhands.jsonl'))
  expect(session.sessionId).toBe('one')
  expect(session.sidechains.map((chain) => chain.id)).toEqual(['two'])
})

it('our own export comes back entry by entry', () => {
  const lines = fixture('pith.jsonl').trimEnd().split('\n')
  expect(decoded(fixture('pith.jsonl')).entries).toEqual(lines.slice(1).map((line) => JSON.parse(line)))
})
