import { execFile } from 'node:child_process'
import { programPath } from '../../../config/places/program-path.ts'
import { columns } from '../../output/columns.ts'
import { muted, note, print } from '../../output/show.ts'
import type { SetupAgent, SetupWorld } from './setup-agent.ts'
import { SETUP_AGENTS } from './setup-agents.ts'
import { settingState } from './setup-plan.ts'
import { setupWorld } from './setup-world.ts'

/** Prints the agents found here, their versions, and what of Pith is on in each. */
export async function listSetups(): Promise<void> {
  const world = setupWorld()
  const found = SETUP_AGENTS.flatMap((agent) => {
    const program = programPath(agent.name, process.env.PATH ?? '')
    return program === undefined ? [] : [{ agent, program }]
  })
  const rows = await Promise.all(
    found.map(async ({ agent, program }) => [agent.name, agent.title, await versionOf(program), onText(agent, world)]),
  )
  if (rows.length > 0)
    for (const line of columns([['name', 'agent', 'version', 'Pith'].map(muted), ...rows])) print(line)
  const missing = SETUP_AGENTS.filter((agent) => !found.some((each) => each.agent === agent))
  if (missing.length > 0) note(`Not found on the PATH: ${missing.map(({ title }) => title).join(', ')}`)
}

function onText(agent: SetupAgent, world: SetupWorld): string {
  try {
    const standings = agent.settings(world).map((setting) => ({ what: setting.what, standing: settingState(setting) }))
    const on = standings.flatMap(({ what, standing }) => {
      if (standing === 'on') return [what]
      return standing === 'outdated' ? [`${what} of another installation`] : []
    })
    return on.length === 0 ? 'off' : [...new Set(on.map((what) => what.replace(/^hook .*/, 'hooks')))].join(', ')
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const LONGEST_MS = 10_000

/** Agents take a second or two to say it. */
function versionOf(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: LONGEST_MS, shell: program.endsWith('.cmd') }, (error, stdout) => {
      resolve((error === null ? /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0] : undefined) ?? '?')
    })
  })
}
