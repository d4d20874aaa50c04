import { describe, expect, it } from 'vitest'
import { type Entry, textOf } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { isSummarising } from '../../support/model-server/index.ts'
import { longText } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'
import { type Home, KEY } from '../../tui/support/program.ts'
import { answer, replies, SUMMARY, talk, userSays } from '../../tui/support/talk.ts'

const CONTINUE = { open: { kind: 'continue' } } as const

async function entriesOf(at: Home, id: string): Promise<readonly Entry[]> {
  const store = await at.store()
  const { entries } = await store.entries(id)
  await store.close()
  return entries
}

/** A session of which a summary is being made until the gate opens. */
async function compacting(policy: Record<string, unknown> = {}) {
  const gate = Promise.withResolvers<void>()
  const made = await ready(
    async (request) => {
      if (!isSummarising(request)) return { text: 'Understood.' }
      await gate.promise
      return { text: SUMMARY }
    },
    { window: 10_000, policy },
  )
  const id = await made.at.session(talk(8, 5_000))
  const program = start(made.at, CONTINUE)
  await program.sees('50.00%')
  await program.send('/compact')
  await program.sees('Compacting...')
  return { ...made, gate, id, program }
}

/** A session whose turn has just ended at an end of work: its summary waits until the gate opens. */
async function afterTurn() {
  const gate = Promise.withResolvers<void>()
  const policy = {
    target_percent: 30,
    target_max_tokens: 18_000,
    keep_tokens: 1_000,
    rungs: ['cold', 'digest', 'squeeze'],
  }
  const made = await ready(
    async (request, number) => {
      if (!isSummarising(request)) return { text: number === 1 ? longText('said', 6_000) : 'Understood.' }
      await gate.promise
      return { text: SUMMARY }
    },
    { window: 60_000, policy },
  )
  // Only the answer brings the session over the share.
  const said = ['one', 'two'].map((mark) => userSays(longText(mark, 9_500)))
  const id = await made.at.session(said.flatMap((draft) => [draft, answer('Yes.')]))
  const program = start(made.at, CONTINUE)
  await program.sees('%')
  await program.send('Go on.')
  await program.sees('Compacting at an end of work: the turn ended')
  await program.sees('⚡ Compacting…')
  return { ...made, gate, id, program }
}

/** The entries of a log in their order: changes by their type, messages of the user by their text. */
async function storedIn(at: Home, id: string): Promise<readonly string[]> {
  return (await entriesOf(at, id)).flatMap((entry) => {
    if (entry.type !== 'message') return [entry.type]
    return entry.message.role === 'user' ? [textOf(entry.message)] : []
  })
}

describe('during the compaction after a turn', () => {
  it('Enter queues a message, which is sent once when the compaction is done', async () => {
    const { program, gate, at, id, model } = await afterTurn()
    await program.send('the next thing')
    await program.sees('1. the next thing')
    await program.send('/cost')
    await program.sees('cost so far')
    expect(model.requests).toHaveLength(2)
    gate.resolve()
    await program.sees('Understood.')
    await program.seesNot('Queued')
    // The summary of this model may be refused. A digest follows then.
    const stored = (await storedIn(at, id)).filter((each) => each !== 'attempt')
    expect(stored.slice(stored.indexOf('Go on.'))).toEqual(['Go on.', 'compaction', 'the next thing'])
    expect(model.requests).toHaveLength(3)
  })

  it('Esc cancels it, and the queued message is sent without another one before it', async () => {
    const { program, at, id, model } = await afterTurn()
    await program.send('the next thing')
    await program.sees('1. the next thing')
    program.press(KEY.escape)
    await program.sees('Compaction cancelled.')
    await program.sees('Understood.')
    const stored = await storedIn(at, id)
    expect(stored.slice(stored.indexOf('Go on.'))).toEqual(['Go on.', 'attempt', 'the next thing'])
    expect(model.requests.map((each) => each.summarising)).toEqual([false, true, false])
  })

  it('Ctrl+C cancels it and puts the queued message back into the input, from where it can be sent', async () => {
    const { program, at, id } = await afterTurn()
    await program.send('the next thing')
    await program.sees('1. the next thing')
    program.press(KEY.interrupt)
    await program.sees('Compaction cancelled.')
    expect(await program.screen()).toMatch(/─\n *the next thing/)
    expect(await storedIn(at, id)).not.toContain('the next thing')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect((await storedIn(at, id)).filter((text) => text === 'the next thing')).toHaveLength(1)
  })

  it.each([
    ['Ctrl+C twice', KEY.interrupt, KEY.interrupt],
    ['Ctrl+D', '\x04'],
  ])('a user who quits with %s reads what was not sent', async (_, ...keys) => {
    const { program, at, id } = await afterTurn()
    await program.send('the next thing')
    await program.sees('1. the next thing')
    program.press(...keys)
    await program.ended
    expect(program.printed).toEqual(['Not sent: the next thing', expect.stringContaining('Resume this session')])
    expect(await storedIn(at, id)).not.toContain('the next thing')
  })
})

describe('during a compaction', () => {
  it('what is typed and pasted, Enter and slash commands lose nothing and send nothing', async () => {
    const { program, model, gate, at, id } = await compacting()
    const before = await entriesOf(at, id)
    program.type('first line')
    program.press(KEY.enter)
    program.press('\x1b\r')
    program.paste('pasted text')
    program.press(KEY.enter)
    program.press('\x1b\r')
    program.type('/quit')
    program.press(KEY.enter)
    await program.sees('/quit')
    const screen = await program.screen()
    expect(screen).toMatch(/first line *\n *pasted text *\n *\/quit/)
    expect(screen).not.toContain('Leave; the session')
    expect(await entriesOf(at, id)).toEqual(before)
    gate.resolve()
    await program.sees('Context compacted.')
    expect(await program.screen()).toMatch(/first line *\n *pasted text *\n *\/quit/)
    expect(model.requests).toHaveLength(1)
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('first line\\npasted text\\n/quit')
  })

  it('a long paste stays a marker, and is sent whole afterwards', async () => {
    const { program, model, gate } = await compacting()
    const text = Array.from({ length: 40 }, (_, i) => `line ${i} of the paste`).join('\n')
    program.paste(text)
    program.press(KEY.enter)
    await program.sees('[paste #1 +40 lines]')
    gate.resolve()
    await program.sees('Context compacted.')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('line 39 of the paste')
  })

  it.each(['silence', 'silence-in-stream'] as const)(
    'Esc ends it soon when the server falls into %s, and no entry of the log has changed',
    async (fault) => {
      const faults = [{ when: isSummarising, fault: { fault } }]
      const { at, model } = await ready(replies(), { window: 10_000 }, { faults })
      const id = await at.session(talk(8, 5_000))
      const before = JSON.stringify(await entriesOf(at, id))
      const program = start(at, CONTINUE)
      await program.sees('50.00%')
      await program.send('/compact')
      await program.sees(() => model.requests.length === 1)
      const pressedAt = performance.now()
      program.press(KEY.escape)
      await program.sees('Compaction cancelled.')
      // A second if other tests do not take the time of this one: it would wait for minutes.
      expect(performance.now() - pressedAt).toBeLessThan(full ? 1_000 : 15_000)
      expect(await program.status()).toContain('50.00%')
      await program.quit()
      const after = await entriesOf(at, id)
      expect(JSON.stringify(after.filter(({ type }) => type !== 'attempt'))).toBe(before)
      expect(after.filter(({ type }) => type === 'attempt')).toMatchObject([{ outcome: 'cancelled' }])
    },
  )
})

describe('progress', () => {
  it('of a history larger than the window it says which chunk is being summarised', async () => {
    const gate = Promise.withResolvers<void>()
    let summaries = 0
    const { at } = await ready(
      async (request) => {
        if (isSummarising(request) && ++summaries === 2) await gate.promise
        return { text: SUMMARY }
      },
      { window: 10_000, policy: { preset: 'keen' } },
    )
    await at.session(talk(30, undefined, 2_000))
    const program = start(at, { ...CONTINUE, columns: 100 })
    await program.sees('%')
    await program.send('/compact')
    await program.sees(/Compacting\.\.\. summary by pith-test · chunk 2 of \d+ · [\d,]+ tokens/)
    gate.resolve()
    await program.sees('✓ Compacted 60 messages')
  })

  it('a model that fails first is asked again, and the line says so', async () => {
    const faults = [{ at: 1, fault: { fault: 'rate-limit', retryAfterSeconds: 2 } as const }]
    const { at } = await ready(replies(), {}, { faults })
    const program = start(at)
    await program.sees('%')
    await program.send('hello')
    await program.sees(/Working\.\.\. [\s\S]*asked again in \d s \(attempt 2\): /)
    await program.sees('Understood.')
  })
})

describe('automatic compaction', () => {
  it('in mode ask it shows what it would do and four answers; a focus goes to the model', async () => {
    const { at, model } = await ready(replies(), { window: 10_000, policy: { mode: 'ask' } })
    await at.session(talk(8, 7_600))
    const program = start(at, CONTINUE)
    await program.sees('76.00%')
    await program.send('go on')
    const screen = await program.sees('› c  compact')
    expect(screen).toContain('The context is nearly full. Compact it now?')
    expect(screen).toMatch(/A summary would replace \d+ messages? \([\d,]+ of [\d,]+ tokens\)/)
    for (const answer of ['c  compact', 'f  compact with a focus', 'l  later', 'o  off'])
      expect(screen).toContain(answer)
    program.press('f')
    await program.sees('What should the summary pay attention to?')
    program.type('the time-out')
    program.press(KEY.enter)
    await program.sees('Understood.')
    expect(await program.transcript()).toContain('Context compacted.')
    expect(JSON.stringify(model.requests.find((each) => each.summarising)?.body)).toContain('the time-out')
  })

  it('later sends the message as it is, off is not asked again', async () => {
    const { at, model } = await ready(replies(), { window: 10_000, policy: { mode: 'ask' } })
    await at.session(talk(8, 7_600))
    const program = start(at, CONTINUE)
    await program.sees('76.00%')
    await program.send('go on')
    await program.sees('› c  compact')
    program.press('o')
    await program.sees('Understood.')
    await program.send('and on')
    await program.sees(() => model.requests.length === 2)
    await program.seesNot('Working...')
    expect(model.requests.some((each) => each.summarising)).toBe(false)
    expect(await program.transcript()).not.toContain('compacted')
  })

  it('inside a turn, Enter sends a message to that turn', async () => {
    const gate = Promise.withResolvers<void>()
    const { at, model } = await ready(
      async (request) => {
        if (!isSummarising(request)) return { text: 'Understood.' }
        await gate.promise
        return { text: SUMMARY }
      },
      { window: 10_000 },
    )
    const id = await at.session(talk(8, 8_500))
    const program = start(at, CONTINUE)
    await program.sees('85.00%')
    await program.send('go on')
    await program.sees('⚡ Compacting…')
    await program.send('and then stop')
    await program.sees('after this step: and then stop')
    gate.resolve()
    await program.seesNot(/after this step|Working\.\.\.|Compacting…/)
    const said = (await storedIn(at, id)).filter((text) => text === 'go on' || text === 'and then stop')
    expect(said).toEqual(['go on', 'and then stop'])
    expect(model.requests.filter((each) => !each.summarising)).toHaveLength(2)
  })

  it('off means off: at the end of the window the agent stops and names the choices', async () => {
    const { at, model } = await ready(replies(), { window: 10_000, policy: { mode: 'off' } })
    await at.session(talk(8, 9_990))
    const program = start(at, CONTINUE)
    await program.sees('99.90%')
    await program.send('go on')
    await program.sees('The context is full')
    const screen = (await program.screen()).replace(/\s+/g, ' ')
    expect(screen).toMatch(/\/compact.*a model with a larger window/)
    expect(model.requests).toEqual([])
  })
})

describe('afterwards', () => {
  it('the transcript and the number are the same when the session is opened again', async () => {
    const { program, gate, at } = await compacting()
    gate.resolve()
    await program.sees('Context compacted.')
    await program.seesNot('50.00%')
    await program.send('and now?')
    await program.sees('Understood.')
    await program.seesNot('Working...')
    const before = (await program.transcript()).split('\n').map((line) => line.trimEnd())
    await program.quit()
    const again = start(at, CONTINUE)
    await again.sees('Understood.')
    await again.sees(/\$0\.\d+/)
    const after = (await again.transcript()).split('\n').map((line) => line.trimEnd())
    expect(after).toEqual(before)
  })

  it('undo gives the whole conversation back to the model, redo the summary', async () => {
    const { program, gate, model } = await compacting()
    gate.resolve()
    await program.sees('Context compacted.')
    await program.send('/undo')
    await program.sees('Undone')
    await program.send('after the undo')
    await program.sees('Understood.')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('question 1 ')
    await program.send('/redo')
    await program.sees('Redone')
    await program.send('/undo')
    await program.sees((screen) => screen.split('Undone').length === 3)
    await program.send('/undo')
    await program.sees('Nothing to undo')
  })

  it('an undo that gives back more than the window holds is asked about first', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    await at.session(talk(30, undefined, 2_000))
    const program = start(at, CONTINUE)
    await program.sees('%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    const compacted = /\d+\.\d\d%/.exec(await program.status())?.[0] ?? ''
    await program.send('/undo')
    await program.sees(/The context would have [\d,]+ tokens, more than the window of 10,000/)
    program.press(KEY.enter)
    await program.sees(compacted)
    await program.send('/undo')
    await program.sees('more than the window')
    program.press(KEY.down, KEY.enter)
    await program.sees(/Undone: the compaction of \d+ messages \(#\d+\)/)
    await program.sees(/The context: [\d,]+ → [\d,]+ tokens\./)
    await program.seesNot(compacted)
  })

  it('what an undo takes back is named and asked about, not what is last on the screen', async () => {
    const { at } = await ready(replies(), { window: 10_000 })
    const id = await at.session(talk(30, undefined, 2_000))
    const program = start(at, CONTINUE)
    await program.sees('%')
    await program.send('/compact')
    await program.sees('Context compacted.')
    const compaction = (await entriesOf(at, id)).find(({ type }) => type === 'compaction')
    const store = await at.store()
    await store.append(id, [{ type: 'edit', of: compaction?.seq ?? 0, summary: 'Other words.' }])
    await store.close()
    await program.sees('was changed.')
    await program.send('/undo')
    await program.sees(`Undone: the new text of the summary #${compaction?.seq} (`)
    await program.send('/undo')
    await program.sees('more than the window')
    program.press(KEY.down, KEY.enter)
    await program.sees('Undone: the compaction of')
    await program.send('/redo')
    await program.sees('Redone: the compaction of')
  })
})

describe('a paste that is larger than the window', () => {
  it('is reported once', async () => {
    const { at } = await ready(replies(), { window: 10_000, policy: { rungs: ['digest', 'squeeze'] } })
    await at.session(talk(8, 5_000))
    const program = start(at, { ...CONTINUE, rows: 60, columns: 120 })
    await program.sees('50.00%')
    program.paste(Array.from({ length: 4_000 }, (_, i) => `line ${i} of what was pasted`).join('\n'))
    program.press(KEY.enter)
    await program.sees('Understood.')
    const transcript = (await program.transcript()).replaceAll(/\s+/g, ' ')
    expect(transcript).toMatch(/Shortened #17: the model sees [\d,]+ of its [\d,]+ characters/)
    expect(transcript).not.toContain('Not all that is new')
    expect(transcript.match(/can recall/g)).toHaveLength(1)
  })
})
