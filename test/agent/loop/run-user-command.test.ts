import { expect, it, onTestFinished } from 'vitest'
import { bubblewrap } from '../../../src/agent/sandbox/bubblewrap.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { addUserCommand, runUserCommand } from '../../../src/tui/local/local-work.ts'
import { agentWorld } from '../../support/agent-world.ts'
import { saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

it('a command that the user typed runs unasked, and the model reads it with the next message', async () => {
  const world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  onTestFinished(() => world.close())
  const ran = await runUserCommand(world.agent, 'echo "in $PWD"; exit 2', new AbortController().signal)
  expect(ran).toEqual({ text: `$ echo "in $PWD"; exit 2\nin ${world.workspace}\n[exit code: 2]` })
  await addUserCommand(world.agent, ran)
  // A file that a command prints is nothing that the user says.
  expect(indexDelta(world.agent.live.view.items.slice()).users).toBeUndefined()
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'entry' }))
  expect(world.server.requests).toEqual([])
  await world.say('What was that?')
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain(`in ${world.workspace}`)
})

it('after a kill in the middle of a call, its result comes before the output of a command that the user typed', async () => {
  const world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  onTestFinished(() => world.close())
  const call = { type: 'tool-call' as const, toolCallId: 'a', toolName: 'bash', input: { command: 'true' } }
  await world.store.append(world.session, [
    { type: 'message', message: { role: 'user', content: 'Run it.' } },
    { type: 'message', message: { role: 'assistant', content: [call] } },
  ])
  await world.agent.live.refresh()
  await addUserCommand(world.agent, { text: '$ ls' })
  expect(await world.say('And now?')).toMatchObject({ reason: 'done' })
  expect(world.server.violations).toEqual([])
})

it('a command that the user typed runs outside of the sandbox, and never rules do not stop it', async () => {
  const world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  onTestFinished(() => world.close())
  const wall = bubblewrap({ workspace: world.workspace, places: () => [] }, true)
  const sandbox = { ...wall, secrets: () => [] }
  const deps = { ...world.agent.deps, sandbox, never: () => [{ kind: 'edit', pattern: '**' }] }
  const { text } = await runUserCommand(
    { deps, live: world.agent.live },
    'echo mine > .envrc; cat .envrc',
    new AbortController().signal,
  )
  expect(text).toBe('$ echo mine > .envrc; cat .envrc\nmine\n[exit code: 0]')
})

it('a command that the user typed has their editor', async () => {
  const world = await agentWorld({ brain: scriptedBrain({ steps: [] }) })
  onTestFinished(() => world.close())
  const deps = { ...world.agent.deps, env: { ...world.agent.deps.env, EDITOR: 'my-editor' } }
  const { text } = await runUserCommand(
    { deps, live: world.agent.live },
    'echo "$EDITOR-$GIT_EDITOR"',
    new AbortController().signal,
  )
  expect(text).toContain('\nmy-editor-\n')
})
