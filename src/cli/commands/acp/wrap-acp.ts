import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from '../../../config/places/folders.ts'
import { WRAPPED_AGENTS } from '../../../gateway/wrap/agents.ts'
import type { AgentStart } from '../../../gateway/wrap/wrapped-agent.ts'
import { quotedWord } from '../../../model/text.ts'
import { UsageError } from '../../process/exit-codes.ts'
import { wrapAgent } from '../../wrap/wrap-agent.ts'
import type { WrapFlags } from '../../wrap/wrap-flags.ts'

/** Starts another ACP agent with a gateway of its own. Its standard input and output stay the editor's. */
export async function wrapAcp(commandLine: string, flags: Omit<WrapFlags, 'print'>): Promise<void> {
  const words = wordsIn(commandLine)
  const [program = '', ...args] = words
  const agent = WRAPPED_AGENTS.find(({ name }) => words.some((word) => hasName(word, name)))
  if (agent === undefined) {
    const names = WRAPPED_AGENTS.map(({ name }) => name).join(', ')
    throw new UsageError(
      'bad-argument',
      `--agent ${commandLine}: it names none of the agents that Pith knows: ${names}`,
    )
  }
  const take = words.some((word) => ADAPTER.test(word)) ? ADAPTERS[agent.name] : undefined
  if (take === undefined) return wrapAgent(agent.name, args, flags, { program, take: (start) => start })
  // The memory is given by flags.
  if (flags.memory)
    throw new UsageError('bad-argument', `--memory: ${program} is an adapter, which hands no flags to ${agent.title}`)
  await wrapAgent(agent.name, args, { ...flags, memory: false }, { program, take })
}

/** A program between the editor and the agent, such as `claude-agent-acp` or `@zed-industries/codex-acp@0.16`. */
const ADAPTER = /-acp(?:@[^/]*)?$/

/** How adapters point their agent to the gateway. */
const ADAPTERS: Readonly<Record<string, (start: AgentStart) => AgentStart>> = {
  claude: ({ env }) => ({ env, args: [] }),
  // There are two: one takes settings from a variable, and the older one from the flags of Codex. Each ignores the other way.
  codex: ({ env, args, settings }) => ({ env: { ...env, CODEX_CONFIG: JSON.stringify(settings) }, args }),
  pi: ({ env, args }) => ({ env: { ...env, PI_ACP_PI_COMMAND: piWith(args) }, args: [] }),
}

/** A program that is pi with these arguments: pi-acp starts what a variable names, and adds its own. */
function piWith(args: readonly string[]): string {
  const folder = dataFolder()
  const file = join(folder, 'pi-with-gateway')
  const { PI_ACP_PI_COMMAND: set = 'pi' } = process.env
  const own = set === file ? 'pi' : set
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `#!/bin/sh\nexec ${[own, ...args].map(quotedWord).join(' ')} "$@"\n`)
  chmodSync(file, 0o700)
  return file
}

function hasName(word: string, name: string): boolean {
  return new RegExp(`(^|[^a-z])${name}([^a-z]|$)`).test(word)
}

/** The words of a command line, with quotes as in a shell and nothing else of it. */
function wordsIn(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
