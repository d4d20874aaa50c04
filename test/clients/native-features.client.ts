import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startAgentModel } from './agent-model.ts'
import { codex } from './agents/codex.ts'
import { type Asked, turn } from './asked.ts'
import type { Client } from './client.ts'
import { CLIENTS } from './clients.ts'
import { placeClient, type RunningClient } from './run-client.ts'
import { wrapClient } from './wrap-client.ts'

it.each(CLIENTS.map((client) => [client.name, client] as const))(
  '%s offers its model the same tools under pith wrap as without it, and beside them only those of Pith',
  async (_, client) => {
    await comparesTools(client)
  },
)

it('codex keeps the tools of its feature token_budget under pith wrap', async () => {
  const own = await comparesTools(withFeature('token_budget'))
  expect(own).toEqual(expect.arrayContaining(['new_context', 'get_context_remaining']))
})

/** Compares the tools of an agent with and without Pith, and returns those without. */
async function comparesTools(client: Client): Promise<readonly string[]> {
  const installed = inject('installed')[client.name]
  if ('problem' in installed) throw new Error(installed.problem)
  const { program } = installed
  const { setUp = client.setUp, compacts } = client.wrapped
  const own = await toolsSent((url) => placeClient({ ...client, setUp }, { program, url, window: compacts.window }))
  const wrapped = await toolsSent((url) => wrapClient(client, { program, pith: inject('program'), url }))
  expect(own.length).toBeGreaterThan(0)
  expect(wrapped.filter((tool) => !isOfPith(tool))).toEqual(own.filter((tool) => !isOfPith(tool)))
  return own
}

function withFeature(name: string): Client {
  const { setUp = codex.setUp } = codex.wrapped
  const configured: Client['setUp'] = (place) => {
    const env = setUp(place)
    appendFileSync(join(place.home, '.codex', 'config.toml'), `[features]\n${name} = true\n`)
    return env
  }
  return { ...codex, wrapped: { ...codex.wrapped, setUp: configured } }
}

/** The names of the tools in the first request of an agent that works, in order. */
async function toolsSent(placed: (url: string) => RunningClient): Promise<readonly string[]> {
  const model = await startAgentModel(() => ({ text: 'Answer 1.' }))
  onTestFinished(() => model.close())
  const running = placed(model.url)
  onTestFinished(running.remove)
  const run = await running.start(turn(1, 'What is here?'))
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return toolsOf(model.asked)
}

function toolsOf(asked: readonly Asked[]): readonly string[] {
  const first = asked.find(({ turn: number, tools }) => number === 1 && tools.length > 0)
  return (first?.tools ?? []).toSorted()
}

/** Tools of our server, and those that Codex itself adds as soon as it has any server. */
function isOfPith(tool: string): boolean {
  return /^(?:mcp_+)?pith|^(?:list_mcp_resources|list_mcp_resource_templates|read_mcp_resource)$/.test(tool)
}
