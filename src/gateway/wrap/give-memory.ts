import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fields, list, parsed } from '../../formats/shared/json.ts'
import type { ClientName } from '../clients/compaction-ask.ts'
import { type AgentStart, type AgentWorld, optionIn } from './wrapped-agent.ts'

/** The memory of a project for one process of an agent, in the forms in which agents take it. */
export type GivenMemory = {
  readonly page: string
  /** The command that prints it at a hook, for a shell. */
  readonly command: string
  /** A module of this package: `plugins/pi/memory`. */
  readonly packageFile: (name: string) => string
  /** The folder with the hooks for one run of an agent. */
  readonly hooks: string
}

/** Why an agent cannot be given the memory, as the end of a sentence. */
type NotGiven = { readonly notGiven: string }

/**
 * How a process of an agent is given the memory: by its own flags, variables and hooks. `env` has what the process gets besides.
 * A page goes into a command line only if there is no other way: other users of the machine can read that.
 */
export function memoryStart(agent: ClientName, memory: GivenMemory, world: AgentWorld): AgentStart | NotGiven {
  return WAYS[agent](memory, world)
}

type Way = (memory: GivenMemory, world: AgentWorld) => AgentStart | NotGiven

/** Set for an agent that is given the memory here: the hook that `pith setup` may have added then says nothing. */
export const MEMORY_GIVEN = 'PITH_MEMORY_GIVEN'

/** The hooks in files of this package run the command that this variable has. */
const MEMORY_COMMAND = 'PITH_MEMORY_COMMAND'

const WAYS: Readonly<Record<ClientName, Way>> = {
  claude: ({ command }, { args }) => {
    if (optionIn(args, '--settings') !== undefined) return { notGiven: 'it takes one `--settings`, and that is yours' }
    const hook = { matcher: 'startup|clear', hooks: [{ type: 'command', command, timeout: 10 }] }
    return {
      env: { [MEMORY_GIVEN]: '1' },
      args: [`--settings=${JSON.stringify({ hooks: { SessionStart: [hook] } })}`],
    }
  },
  // Its hooks run only once its user has trusted them in its own screen. A session that is resumed keeps the text that it has.
  codex: ({ page }, { env, args, homeFile }) => {
    const config = homeFile(`${env.CODEX_HOME || '.codex'}/config.toml`) ?? ''
    const isOwn = /^\s*developer_instructions\s*=/m.test(config) || args.some((arg) => arg.includes(CODEX_KEY))
    if (isOwn) return { notGiven: `it takes one text as \`${CODEX_KEY}\`, and that is yours` }
    return { env: { [MEMORY_GIVEN]: '1' }, args: ['-c', `${CODEX_KEY}=${JSON.stringify(page)}`] }
  },
  // A plug-in that `pith setup` has added, too, is loaded once.
  opencode: ({ packageFile }, { env }) => {
    const config = fields(parsed(env.OPENCODE_CONFIG_CONTENT ?? '{}'))
    const plugin = [...list(config?.plugin), pathToFileURL(packageFile('plugins/opencode/memory')).href]
    return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, plugin }) }, args: [] }
  },
  pi: ({ packageFile }) => ({ env: {}, args: ['-e', packageFile('plugins/pi/memory')] }),
  gemini: withDefaults('GEMINI_CLI_SYSTEM_DEFAULTS_PATH', '/etc/gemini-cli/system-defaults.json', 'gemini'),
  qwen: withDefaults('QWEN_CODE_SYSTEM_DEFAULTS_PATH', '/etc/qwen-code/system-defaults.json', 'qwen'),
  copilot: ({ command, hooks }) => ({
    env: { [MEMORY_GIVEN]: '1', [MEMORY_COMMAND]: command },
    args: ['--plugin-dir', join(hooks, 'copilot')],
  }),
}

const CODEX_KEY = 'developer_instructions'

/** An agent that reads the lowest of its settings files from any path: Pith has one with the hook. */
function withDefaults(variable: string, usual: string, name: string): Way {
  return ({ command, hooks }, { env, homeFile }) => {
    if (env[variable] || homeFile(usual) !== undefined)
      return { notGiven: 'it takes one file of system defaults, and there is one already' }
    return {
      env: { [variable]: join(hooks, `${name}.json`), [MEMORY_GIVEN]: '1', [MEMORY_COMMAND]: command },
      args: [],
    }
  }
}
