import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../config/index.ts'
import { dataFolder } from '../../config/places/folders.ts'
import { parseGatewaySettings } from '../../config/tables/program-settings.ts'
import { count } from '../../engine/report/numbers.ts'
import { memoryStart } from '../../gateway/wrap/give-memory.ts'
import type { AgentStart, AgentWorld, WrappedAgent } from '../../gateway/wrap/wrapped-agent.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { hookCommand } from '../memory/memory-command.ts'
import { startingPage, updateInBackground } from '../memory/starting-page.ts'
import { PACKAGE } from '../process/package.ts'

/** The flags and variables that give an agent the memory, and the line that says so. */
type WrapMemory = { readonly give: (agent: WrappedAgent, world: AgentWorld) => AgentStart & { readonly line: string } }

/** The memory of this folder's project for a new session; undefined if the user does not want it. The next one is made in the background. */
export function wrapMemory(isWanted: true | undefined): WrapMemory | undefined {
  const config = loadConfig({})
  if (isWanted !== true && !parseGatewaySettings(config.settings.gateway, config.placeOf).memory) return undefined
  const here = { config, folders: { data: dataFolder() } }
  const page = startingPage(here)
  updateInBackground(here)
  if (page === undefined) return { give: () => ({ env: {}, args: [], line: NO_PAGE }) }
  return {
    give: (agent, world) => {
      const command = hookCommand({ command: process.execPath, args: [process.argv[1] ?? ''] }, agent.name, '--given')
      const way = memoryStart(agent.name, { page, command, packageFile, hooks: packageFolder('plugins/memory') }, world)
      if ('notGiven' in way)
        return { env: {}, args: [], line: `${agent.title} begins without the memory of the project: ${way.notGiven}` }
      return {
        ...way,
        line: `A new session begins with the memory of the project: ${count(featureEstimator.text(page))} tokens`,
      }
    },
  }
}

const NO_PAGE = 'No session begins with a memory here yet: `pith memory` makes it, and says if it is off'

/** A module of the package, as it is in a checkout or as it is built. */
function packageFile(name: string): string {
  return firstOf(join('src', `${name}.ts`), join('dist', `${name}.js`))
}

function packageFolder(name: string): string {
  return firstOf(join('src', name), join('dist', name))
}

function firstOf(source: string, built: string): string {
  return existsSync(join(PACKAGE, source)) ? join(PACKAGE, source) : join(PACKAGE, built)
}
