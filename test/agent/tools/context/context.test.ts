import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compactAfterTurn } from '../../../../src/agent/compaction/automatic-compaction.ts'
import { compactNow } from '../../../../src/agent/compaction/compact-now.ts'
import { requestOf } from '../../../../src/engine/context/view/request.ts'
import { validate } from '../../../../src/engine/context/view/validate.ts'
import type { PolicyPatch } from '../../../../src/engine.ts'
import { messagesOf } from '../../../../src/model/types.ts'
import { leaveOut, putBackLeftOut } from '../../../../src/session/leave-out.ts'
import { pin, undo } from '../../../../src/session/user-changes.ts'
import { type AgentWorld, agentWorld } from '../../../support/agent-world.ts'
import type { Answer } from '../../../support/model-server/index.ts'
import { calling, longText, printing, saidTo, scriptedBrain } from '../../../support/scripted-brain.ts'

let world: AgentWorld
afterEach(() => world.close())

const done = { text: 'Done.' }
const drop = (part: string) => calling('context', { action: 'drop', part })
const restore = (part: string) => calling('context', { action: 'restore', part })
const show = calling('context', { action: 'show' })

/** #1 the user, #2 and #3 a long output, #4 the answer; then the steps of the next turn, which the user begins with #5. */
async function afterOneTurn(steps: readonly Answer[], policy: PolicyPatch = {}) {
  world = await agentWorld({
    brain: scriptedBrain({ steps: [printing('detour', 600), done, ...steps] }),
    settings: { policy },
  })
  await world.say('Look into it.')
}

const lastRequest = () => saidTo(world.server.requests.at(-1)?.request)

/** The answers of the tool, in order. */
function answers(): string[] {
  return world.events.flatMap((event) =>
    event.type === 'tool-finished' && event.toolName === 'context' ? [event.text] : [],
  )
}

describe('a part that the model drops', () => {
  it('is one line in the next request, an entry that the user sees, and back to the byte after an undo', async () => {
    await afterOneTurn([drop('#2-#3'), done])
    const before = messagesOf(world.agent.live.view)
    await world.say('Now the real thing.')
    expect(answers()).toEqual([
      expect.stringMatching(/^#2–#3 left out by the model\. The context: [\d,]+ → [\d,]+ tokens\./),
    ])
    expect(lastRequest()).toMatch(/\[#2–#3 left out by the model: 2 messages, \d+ tokens; recall #2-#3 shows them\]/)
    expect(lastRequest()).not.toContain('detour: nothing of note')
    expect(validate(requestOf(world.agent.live.view).messages)).toEqual([])
    expect(world.events).toContainEqual({
      type: 'entry',
      entry: expect.objectContaining({ type: 'leave-out', requestedBy: 'model' }),
    })
    await undo(world.store, world.session)
    await world.agent.live.refresh()
    expect(messagesOf(world.agent.live.view).slice(0, before.length)).toEqual(before)
  })

  it('can be restored, and dropped again', async () => {
    await afterOneTurn([drop('#2'), restore('#2'), drop('#3'), done])
    await world.say('Now the real thing.')
    expect(answers()[1]).toBe('#2–#3 is in the context again.')
    expect(answers()[2]).toMatch(/^#2–#3 left out by the model/)
  })

  it.each(['an undo', 'a put-back'])('cannot be dropped again once the user has it back with %s', async (how) => {
    await afterOneTurn([drop('#2-#3'), done, drop('#2-#3'), done])
    await world.say('Now the real thing.')
    if (how === 'an undo') await undo(world.store, world.session)
    else await putBackLeftOut(world.store, world.agent, 2)
    await world.say('And on.')
    expect(answers()[1]).toMatch(/^#2–#3 stays: the user has put it back; nothing else can be dropped now\.$/)
    expect(lastRequest()).toContain('detour: nothing of note')
  })

  it('waits if the broken cache would cost more than it saves', async () => {
    world = await agentWorld({
      brain: scriptedBrain({
        steps: [
          printing('detour', 60),
          { text: longText('answer', 4_000) },
          { text: longText('more', 4_000) },
          drop('#2-#3'),
          done,
        ],
      }),
    })
    for (const text of ['Look into it.', 'More.', 'Now the real thing.']) await world.say(text)
    expect(answers()).toEqual(['#2–#3 will be left out when the cache is cold or a compaction is due.'])
    expect(lastRequest()).toContain('detour: nothing of note')
  })

  it('is everything that later calls have made obsolete, in one go', async () => {
    const read = calling('read', { path: 'a.ts' })
    world = await agentWorld({
      brain: scriptedBrain({ steps: [read, read, read, done, show, drop('superseded'), done] }),
    })
    writeFileSync(join(world.workspace, 'a.ts'), longText('a.ts', 2_000))
    await world.say('Read it.')
    await world.say('Now the real thing.')
    expect(answers()[0]).toMatch(/- superseded: [\d,]+, 2 results of calls that were repeated later \(#3, #5\)/)
    expect(answers()[1]).toMatch(/^2 results left out by the model\./)
    expect(lastRequest().split('a.ts, line 1:')).toHaveLength(2)
  })
})

describe('the model is refused with the reason and the nearest part', () => {
  const nearest = /; the nearest part that can be dropped is #2-#4 \([\d,]+ tokens\)\.$/

  it.each([
    ['#1', '#1 stays: only the user may leave out what the user said'],
    ['#5', '#5 stays: only the user may leave out what the user said'],
    ['#6', '#6 stays: it belongs to the current turn'],
    ['#99', '#99 is not in the context'],
  ])('for %s', async (part, reason) => {
    await afterOneTurn([drop(part), done])
    await world.say('Now the real thing.')
    expect(answers()[0]?.startsWith(reason)).toBe(true)
    expect(answers()[0]).toMatch(nearest)
  })

  it('for the current turn', async () => {
    await afterOneTurn([printing('now', 600), drop('#6-#7'), done])
    await world.say('Now the real thing.')
    expect(answers()[0]).toMatch(/^#6–#7 stays: it belongs to the current turn; the nearest part/)
  })

  it('for a pinned message', async () => {
    await afterOneTurn([drop('#2-#3'), done])
    await pin(world.store, world.session, 3)
    await world.say('Now the real thing.')
    expect(answers()[0]).toBe('#2–#3 stays: it is pinned; nothing else can be dropped now.')
  })

  it('for a record', async () => {
    await afterOneTurn([{ text: longText('two', 3_000) }, drop('#1-#9'), done], {
      rungs: ['digest'],
      targetMaxTokens: 100,
    })
    await world.say('And this.')
    const made = await compactNow(world.agent, { reason: 'manual', signal: new AbortController().signal })
    expect(made.compacted).toBe(true)
    await world.say('Now the real thing.')
    expect(answers()[0]).toMatch(/a record is undone or edited, not left out/)
  })

  it('for what the user left out, which it may only recall', async () => {
    await afterOneTurn([restore('#2'), done])
    await leaveOut(world.store, world.agent, '#2-#3', { requestedBy: 'user' })
    await world.say('Now the real thing.')
    expect(answers()).toEqual(['the user left out #2–#3: recall shows it.'])
  })

  it('for a part without a name', async () => {
    await afterOneTurn([calling('context', { action: 'drop' }), drop('the old stuff'), done])
    await world.say('Now the real thing.')
    expect(answers()).toEqual(['context: give the part', expect.stringMatching(/is not a handle/)])
  })
})

it('shows how full the context is, and the largest parts first', async () => {
  await afterOneTurn([show, done])
  await world.say('Now the real thing.')
  expect(answers()[0]).toMatch(/^[\d.]+% full: [\d,]+ of 200,000 tokens/)
  expect(answers()[0]).toMatch(
    /The largest parts that you can drop, in tokens:\n- turn:#1: [\d,]+, turn of user: Look into it\.\n- #3:/,
  )
})

it('a model that does nothing else is stopped after five uses, and may continue after other work', async () => {
  await afterOneTurn([show, show, show, show, show, show, printing('work', 1), show, done])
  await world.say('Now the real thing.')
  const stopped = 'The context was looked at or changed 5 times in a row: continue with the task first.'
  expect(answers().map((text) => text === stopped)).toEqual([false, false, false, false, false, true, false])
})

it.each([
  [{}, true],
  [{ preset: 'economy' }, true],
  [{ preset: 'full-window' }, true],
  [{ mode: 'ask' }, false],
  [{ mode: 'off' }, false],
  [{ preset: 'keen' }, false],
  [{ preset: 'kit' }, false],
] as [PolicyPatch, boolean][])('with the policy %o the model may change its context: %s', async (policy, isOffered) => {
  await afterOneTurn([show, done], policy)
  expect(JSON.stringify(world.server.requests[0]?.body).includes('"name":"context"')).toBe(isOffered)
  await world.say('Now the real thing.')
  const results = world.events.flatMap((event) => (event.type === 'tool-finished' ? [event.text] : []))
  expect(results.at(-1)?.startsWith('There is no tool `context`. The tools are ')).toBe(!isOffered)
})

describe('a compaction that the model asks for', () => {
  const asking = calling('context', { action: 'compact', focus: 'the colour of the door' })
  const small: PolicyPatch = {
    rungs: ['cold', 'digest'],
    targetMaxTokens: 2_000,
    growthPercent: 0,
    keepTokens: 500,
    nameTokens: 0,
  }
  const summarising = () => world.server.requests.filter((request) => request.summarising)
  const noted =
    /^Noted: the context is compacted at the next end of work, at the latest at [\d,]+ tokens\. Continue with the task\.$/

  it('is made when the turn has ended, with its focus, also by a process that starts later', async () => {
    await afterOneTurn([asking, printing('work', 100), done], small)
    await world.say('Now the real thing.')
    expect(answers()).toEqual([expect.stringMatching(noted)])
    expect(summarising()).toEqual([])
    await compactAfterTurn(await world.reopen(), new AbortController().signal)
    expect(
      summarising()
        .map(({ request }) => saidTo(request))
        .join(),
    ).toContain('the colour of the door')
    const { entries } = await world.store.entries(world.session, { only: 'changes' })
    expect(entries.filter(({ type }) => type === 'compaction')).toMatchObject([{ focus: 'the colour of the door' }])
    await compactAfterTurn(world.agent, new AbortController().signal)
    await world.say('And on.')
    expect(summarising()).toHaveLength(1)
  })

  it('is made before the next request if nobody compacted after the turn, or another piece of work has ended', async () => {
    await afterOneTurn([asking, done, done], small)
    await world.say('Now the real thing.')
    await world.say('And on.')
    expect(summarising()).toHaveLength(1)
    expect(world.events).toContainEqual({ type: 'notice', text: 'Compacting as the model asked: the turn ended' })
    expect(lastRequest()).toContain('And on.')
  })

  it('is shown to the user, who takes it back with an undo', async () => {
    await afterOneTurn([asking, done], small)
    await world.say('Now the real thing.')
    expect(world.events).toContainEqual({
      type: 'entry',
      entry: expect.objectContaining({ type: 'settings', compact: { focus: 'the colour of the door' } }),
    })
    expect(await undo(world.store, world.session)).toMatchObject({ ok: true })
    await world.agent.live.refresh()
    await compactAfterTurn(world.agent, new AbortController().signal)
    expect(summarising()).toEqual([])
  })

  it('leaves nothing to undo but itself once it is made', async () => {
    await afterOneTurn([asking, done], small)
    await world.say('Now the real thing.')
    await compactAfterTurn(world.agent, new AbortController().signal)
    expect(await undo(world.store, world.session)).toMatchObject({ ok: true })
    expect(await undo(world.store, world.session)).toEqual({ ok: false, reason: 'Nothing to undo' })
    await world.agent.live.refresh()
    await compactAfterTurn(world.agent, new AbortController().signal)
    expect(summarising()).toHaveLength(1)
  })

  it('is not made once the user has switched automatic compaction off', async () => {
    await afterOneTurn([asking, done], small)
    await world.say('Now the real thing.')
    await world.agent.live.append([{ type: 'settings', policy: { mode: 'off' } }])
    await compactAfterTurn(world.agent, new AbortController().signal)
    expect(summarising()).toEqual([])
  })

  it('is refused if it would save nothing', async () => {
    await afterOneTurn([asking, done])
    await world.say('Now the real thing.')
    expect(answers()[0]).toMatch(
      /^Not noted: the context has [\d,]+ tokens, and a compaction saves something from [\d,]+ on\.$/,
    )
  })
})
