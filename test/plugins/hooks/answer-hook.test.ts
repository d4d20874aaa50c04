import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { answerHook } from '../../../src/plugins/hooks/answer-hook.ts'
import { HookFiles, type PreparedAddition } from '../../../src/plugins/hooks/hook-files.ts'

const SESSION = '5a-1'
const COMPACTED = { session_id: SESSION, transcript_path: '/t.jsonl', compact_summary: 'Birds.' }

describe('the hook of an agent', () => {
  it('gives instructions for the summary before a compaction', () => {
    expect(hook().answer('PreCompact')).toContain('Name every file that was changed')
  })

  it('has the summary checked after a compaction and prints nothing itself', () => {
    const { answer, started, files } = hook()
    expect(answer('PostCompact', COMPACTED)).toBe('')
    expect(started).toEqual([SESSION])
    expect(files.job()).toMatchObject({ transcript: '/t.jsonl', summary: 'Birds.' })
  })

  it.each(['UserPromptSubmit', 'PostToolBatch'])('%s adds the addition once', (event) => {
    const { answer, finish, data } = hook()
    answer('PostCompact', COMPACTED)
    finish({ text: 'You forgot the heron.', tokens: 7, facts: 1 })
    expect(JSON.parse(answer(event))).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: 'You forgot the heron.' },
    })
    expect(answer(event)).toBe('')
    expect(readFileSync(join(data, 'additions', `${SESSION}.json`), 'utf8')).not.toContain('heron')
  })

  it('says nothing if there was no compaction, or the summary forgot nothing', () => {
    const { answer, finish } = hook()
    expect(answer('UserPromptSubmit')).toBe('')
    answer('PostCompact', COMPACTED)
    finish({ tokens: 0, facts: 0 })
    expect(answer('UserPromptSubmit')).toBe('')
  })

  it('leaves a sub-agent alone, which has the session of the agent that called it', () => {
    const { answer, finish, started } = hook()
    const helper = { ...COMPACTED, agent_id: 'a1', agent_type: 'general-purpose' }
    answer('PostCompact', helper)
    expect(started).toEqual([])
    answer('PostCompact', COMPACTED)
    finish({ text: 'You forgot the heron.', tokens: 7, facts: 1 })
    expect(answer('PostToolBatch', helper)).toBe('')
    expect(answer('UserPromptSubmit')).toContain('heron')
  })

  it('waits for a check that runs, but not for long', () => {
    const made = hook()
    made.answer('PostCompact', COMPACTED)
    made.onPause = () => made.finish({ text: 'At last.', tokens: 2, facts: 1 })
    expect(made.answer('UserPromptSubmit')).toContain('At last.')
    made.answer('PostCompact', COMPACTED)
    made.onPause = () => undefined
    expect(made.answer('UserPromptSubmit')).toBe('')
    expect(made.slept).toBeLessThan(4_000)
    made.finish({ text: 'Late.', tokens: 2, facts: 1 })
    expect(made.answer('PostToolBatch')).toContain('Late.')
  })

  it('answers at once, however long the check takes, if the agent waits after a compaction', () => {
    const made = hook()
    made.onPause = () => made.slept > 9_000 && made.finish({ text: 'At last.', tokens: 2, facts: 1 })
    const compacted = { session_id: SESSION, transcript_path: '/t.jsonl', source: 'compact' }
    expect(JSON.parse(made.answer('SessionStart', compacted))).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'At last.' },
    })
    expect(made.started).toEqual([SESSION])
    expect(made.files.job()).toBeUndefined()
    expect(made.answer('SessionStart', { ...compacted, source: 'resume' })).toBe('')
  })

  it('does not mention a compaction before the last one, whenever its check ends', () => {
    const { answer, files, finish } = hook()
    answer('PostCompact', COMPACTED)
    const first = files.job()
    answer('PostCompact', COMPACTED)
    if (first !== undefined) files.finish(first, { text: 'Of the first.', tokens: 3, facts: 1 })
    expect(answer('UserPromptSubmit')).toBe('')
    finish({ text: 'Of the second.', tokens: 3, facts: 1 })
    expect(answer('UserPromptSubmit')).toContain('Of the second.')
  })

  it('gives up a check that has died', () => {
    const { answer, data } = hook()
    answer('PostCompact', COMPACTED)
    utimesSync(join(data, 'additions', SESSION), 0, 0)
    expect(answer('UserPromptSubmit')).toBe('')
    expect(readdirSync(join(data, 'additions'))).toEqual([`${SESSION}.json`])
  })

  it('gives the status line the outcome of the last check', () => {
    const { answer, finish } = hook()
    expect(answer('StatusLine')).toBe('pith: no compaction yet')
    answer('PostCompact', COMPACTED)
    finish({ text: 'You forgot the heron.', tokens: 7, facts: 1 })
    expect(answer('StatusLine')).toBe('pith: 1 fact added to the last summary, 7 tokens')
    answer('PostCompact', COMPACTED)
    finish({ tokens: 0, facts: 0 })
    expect(answer('StatusLine')).toBe('pith: the last summary forgot nothing')
  })

  it('keeps to its own folder whatever a session is called, and leaves alone what it does not know', () => {
    const { answer, data } = hook()
    answer('PostCompact', { ...COMPACTED, session_id: '../../elsewhere' })
    expect(readdirSync(join(data, 'additions'))).toEqual(['______elsewhere'])
    for (const input of [undefined, null, 7, {}, { session_id: 3 }]) expect(answer('PostCompact', input)).toBe('')
    expect(answer('Stop', COMPACTED)).toBe('')
  })
})

function hook() {
  const data = mkdtempSync(join(tmpdir(), 'pith-hook-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const started: string[] = []
  const made = {
    data,
    started,
    files: new HookFiles(data, SESSION),
    finish: (addition: PreparedAddition) => {
      const job = made.files.job()
      if (job !== undefined) made.files.finish(job, addition)
    },
    slept: 0,
    onPause: (): unknown => undefined,
    answer: (event: string, input: unknown = { session_id: SESSION }) =>
      answerHook(event, input, {
        data,
        prepare: (session) => started.push(session),
        clock: () => Date.now() + made.slept,
        pause: (ms) => {
          made.slept += ms
          made.onPause()
        },
      }),
  }
  return made
}
