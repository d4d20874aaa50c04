import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { opencode } from './agents/opencode.ts'
import { turn } from './asked.ts'
import { type Client, type ClientPlace, KEY } from './client.ts'
import { longResults } from './long-results.ts'
import { put } from './put.ts'
import { recordedWork } from './recorded-work.ts'
import { sentProblems } from './sent-problems.ts'
import { wrapClient } from './wrap-client.ts'

it.each([
  ['the home folder', ({ home }: ClientPlace) => join(home, '.config/opencode/opencode.jsonc')],
  ['the project', ({ workspace }: ClientPlace) => join(workspace, 'opencode.jsonc')],
])('opencode with a commented configuration in %s is behind the gateway', async (_, fileIn) => {
  const installed = inject('installed').opencode
  if ('problem' in installed) throw new Error(installed.problem)
  const { brain } = longResults(opencode, { pieces: 3 })
  const model = await startAgentModel(brain)
  onTestFinished(() => model.close())
  const setUp: Client['setUp'] = (place) => {
    const { OPENCODE_CONFIG_CONTENT: _, ...env } = opencode.setUp(place)
    put(fileIn(place), configFor(place))
    return env
  }
  const client = { ...opencode, setUp }
  const running = wrapClient(client, { program: installed.program, pith: inject('program'), url: model.url })
  onTestFinished(running.remove)

  const run = await running.start(turn(1, 'Count for a while.'))

  expect(run, run.stderr.slice(-2_000)).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') })
  expect(sentProblems(client, model.asked)).toEqual([])
  expect(await recordedWork(running)).toMatchObject({ sessions: 1 })
})

/** As people write such a file. */
function configFor({ url, window }: ClientPlace): string {
  return `{
  // The model that runs here.
  "$schema": "https://opencode.ai/config.json",
  "model": "local/test",
  "small_model": "local/test",
  "autoupdate": false,
  "share": "disabled",
  "provider": {
    /* Addresses have // in them. */
    "local": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${url}/v1", "apiKey": "${KEY}", },
      "models": { "test": { "name": "test", "limit": { "context": ${window}, "output": 8000 }, "tool_call": true, }, },
    },
  },
}
`
}
