import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Brain } from '../../support/model-server/index.ts'
import { eventsOf, type StreamEvent } from '../support/events.ts'
import { type ServerWorld, serverWorld, TOKENS } from '../support/world.ts'

/** A server with a turn whose first answer waits. */
async function running() {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const brain: Brain = async (_, number) => {
    asked.resolve()
    if (number === 1) await gate.promise
    return { text: `Reply ${number}.` }
  }
  const world = await serverWorld({ brain })
  const id = await world.session()
  const events = eventsOf(await world.stream('POST', `/v1/sessions/${id}/turn`, { text: 'first' }))
  const received: StreamEvent[] = []
  const ended = allOf(events, received)
  await asked.promise
  return { world, id, gate, received, ended }
}

async function allOf(events: AsyncIterable<StreamEvent>, received: StreamEvent[]): Promise<StreamEvent[]> {
  for await (const each of events) received.push(each)
  return received
}

async function logOf(world: ServerWorld, id: string): Promise<string[]> {
  const { entries } = await world.store.entries(id)
  return entries.flatMap((entry) =>
    entry.type === 'message' ? [`${entry.message.role}: ${String(entry.message.content)}`] : [],
  )
}

/** The messages of a conversation in which the second was said during the first answer. */
const WHOLE = [
  'user: first',
  expect.stringMatching(/^assistant: /),
  'user: second',
  expect.stringMatching(/^assistant: /),
]

describe('a message for the running turn', () => {
  it('is answered in that turn, and its entry is among the events', async () => {
    const { world, id, gate, ended } = await running()
    expect(await world.ask('POST', `/v1/sessions/${id}/turn/steer`, { text: 'second' })).toMatchObject({
      status: 200,
      body: { steered: true },
    })
    gate.resolve()
    const received = await ended
    expect(received.filter(({ event }) => event === 'turn.ended')).toHaveLength(1)
    expect(received.at(-1)?.data.end).toMatchObject({ reason: 'done', steps: 2, answer: 'Reply 2.' })
    expect(
      received.filter(({ event, data }) => event === 'entry' && data.entry.message?.content === 'second'),
    ).toHaveLength(1)
    expect(await logOf(world, id)).toEqual(WHOLE)
  })

  it('reaches the process that runs the turn from another one, which says no more than that it was sent', async () => {
    const { world, id, gate, ended } = await running()
    const heard = Promise.withResolvers<void>()
    const stop = world.store.receiveSignals(({ kind }) => {
      if (kind === 'steer') heard.resolve()
      return false
    })
    const other = await serverWorld({ brain: () => ({ text: 'unused' }), store: `${world.folder}/data/pith.db` })
    expect((await other.ask('POST', `/v1/sessions/${id}/turn/steer`, { text: 'second' })).body).toEqual({
      steered: true,
      queued: true,
    })
    await heard.promise
    stop()
    gate.resolve()
    expect((await ended).at(-1)?.data.end.steps).toBe(2)
    expect(await logOf(world, id)).toEqual(WHOLE)
  })

  it('is not taken if no turn runs, and stored nowhere', async () => {
    const { world, id, gate, ended } = await running()
    gate.resolve()
    await ended
    expect((await world.ask('POST', `/v1/sessions/${id}/turn/steer`, { text: 'late' })).body).toEqual({
      steered: false,
    })
    expect(await logOf(world, id)).not.toContain('user: late')
  })

  it('is not said in the next turn when its own breaks off', async () => {
    const { world, id, gate, ended } = await running()
    await world.ask('POST', `/v1/sessions/${id}/turn/steer`, { text: 'second' })
    const disk = new DatabaseSync(`${world.folder}/data/pith.db`)
    onTestFinished(() => disk.close())
    disk.exec(`CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
    gate.resolve()
    expect((await ended).filter(({ event }) => event === 'entry')).toEqual([])
    disk.exec('DROP TRIGGER full')
    expect((await world.ask('POST', `/v1/sessions/${id}/turn`, { text: 'third' })).status).toBe(200)
    expect(await logOf(world, id)).toEqual(['user: first', 'user: third', expect.stringMatching(/^assistant: /)])
  })

  it('goes to the turn that it names alone', async () => {
    const { world, id, gate, received, ended } = await running()
    const other = await serverWorld({ store: `${world.folder}/data/pith.db` })
    const path = `/v1/sessions/${id}/turn/steer`
    for (const { ask } of [world, other]) {
      expect((await ask('POST', path, { text: 'late', turn: 'one-before' })).body).toEqual({ steered: false })
    }
    await expect.poll(() => received.length).toBeGreaterThan(0)
    const turn = received[0]?.data.id
    expect((await world.ask('POST', path, { text: 'second', turn })).body).toEqual({ steered: true })
    gate.resolve()
    await ended
    expect(await logOf(world, id)).toEqual(WHOLE)
  })

  it('brings no files of the server, whatever it names', async () => {
    const { world, id, gate, ended } = await running()
    await world.ask('POST', `/v1/sessions/${id}/turn/steer`, { text: 'look at @pith.db and @/etc/hostname' })
    gate.resolve()
    await ended
    expect(await logOf(world, id)).toContain('user: look at @pith.db and @/etc/hostname')
  })

  it('cannot be sent by anyone else, and must say something', async () => {
    const { world, id, gate, ended } = await running()
    const path = `/v1/sessions/${id}/turn/steer`
    expect((await world.ask('POST', path, { text: 'x' }, { token: TOKENS[1].token })).status).toBe(403)
    expect((await world.ask('POST', path, { text: 'x' }, { token: TOKENS[2].token })).status).toBe(404)
    expect((await world.ask('POST', path, {})).status).toBe(400)
    gate.resolve()
    expect((await ended).at(-1)?.data.end.steps).toBe(1)
  })
})
