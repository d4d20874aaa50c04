import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { dataFolder } from '../../config/places/folders.ts'
import { runningGateways } from '../../gateway/running-gateways.ts'
import { unusedProxy } from '../../gateway/upstream/proxied-agent.ts'
import { WRAPPED_AGENTS } from '../../gateway/wrap/agents.ts'
import { movedTrigger } from '../../gateway/wrap/own-trigger.ts'
import {
  type AgentStart,
  type AgentWorld,
  isBehindGateway,
  proxyException,
  type WrappedAgent,
} from '../../gateway/wrap/wrapped-agent.ts'
import { PithError } from '../../model/problems/errors.ts'
import { quotedWord } from '../../model/text.ts'
import { note, writeExact } from '../output/show.ts'
import { agentProgram, becomeProgram } from '../process/become-program.ts'
import { PACKAGE } from '../process/package.ts'
import { waitingProgram } from '../process/waiting-program.ts'
import { endWithBill, keptGateway } from './attend-agent.ts'
import { type GatewayOrder, type GatewayReady, startGatewayProcess } from './gateway-process.ts'
import { startLines } from './start-lines.ts'
import type { WrapFlags } from './wrap-flags.ts'

/** Another program that is the agent, such as its adapter for editors, and how it takes what points it to the gateway. More arguments go after its own. */
export type OtherProgram = { readonly program: string; readonly take: (start: AgentStart) => AgentStart }

/** Starts an agent with a gateway of its own, or prints what points it there. */
export async function wrapAgent(
  name: string,
  args: readonly string[],
  flags: WrapFlags,
  other?: OtherProgram,
): Promise<void> {
  const agent = agentNamed(name)
  const program = flags.print === true ? agent.program : agentProgram(other?.program ?? agent.program, agent.title)
  const world = worldOf(args)
  const plan = agent.plan(world)
  if ('leftAlone' in plan) {
    note(`${agent.title} runs without Pith: ${plan.leftAlone}`)
    return flags.print === true ? undefined : becomeProgram(program, args, process.env)
  }
  if (isBehindGateway(plan, runningGateways(dataFolder()))) {
    note(
      `${agent.title} already goes through a gateway of Pith, so it gets no second one: its sessions are recorded once`,
    )
    return flags.print === true ? undefined : becomeProgram(program, args, process.env)
  }
  const proxy = unusedProxy(process.env)
  if (proxy !== undefined) note(proxy)
  // On a terminal this process stays, to print the bill when the agent has ended.
  const waiting =
    flags.print !== true && process.stderr.isTTY && process.platform !== 'win32' ? waitingProgram() : undefined
  const watch = waiting?.pid ?? (flags.print === true ? process.ppid : process.pid)
  const { upstreams, model, windows = {}, ownTrigger } = plan
  const { mode, trigger } = flags
  const run = randomUUID()
  const order: GatewayOrder = { upstreams, model, windows, mode, trigger, agent: name, run, watch }
  const kept = waiting && keptGateway(order)
  const memory = flags.memory === false ? undefined : (await import('./wrap-memory.ts')).wrapMemory(flags.memory)
  const ready = await (kept?.ready ?? startGatewayProcess(order)).catch((error: unknown) => {
    waiting?.cancel()
    throw error
  })
  const own = plan.start({ ...addressOf(ready), triggerTokens: movedTrigger({ own: ownTrigger, ...ready }) })
  const start = other?.take(own) ?? own
  const given = memory?.give(agent, { ...world, env: { ...process.env, ...start.env } })
  const env = { ...start.env, ...given?.env, ...proxyException(process.env), PITH_WRAPPED: ready.holder }
  for (const line of startLines(agent.title, plan, ready)) note(line)
  if (given !== undefined) note(given.line)
  const more = [...start.args, ...(given?.args ?? [])]
  if (flags.print === true) return printStart(agent, { env, args: more }, watch)
  if (plan.isSubscription === true && ready.mode === 'rewrite') note(NOT_SHORTENED)
  const all = other === undefined ? [...more, ...args] : [...args, ...more]
  if (waiting === undefined || kept === undefined) return becomeProgram(program, all, { ...process.env, ...env })
  await endWithBill(await waiting.become(program, all, env), run, kept)
}

const NOT_SHORTENED =
  'A subscription pays, so its requests are sent as the agent wrote them: rewrite does only what answer does.'

function agentNamed(name: string): WrappedAgent {
  const agent = WRAPPED_AGENTS.find((each) => each.name === name)
  const names = WRAPPED_AGENTS.map((each) => each.name).join(', ')
  if (agent === undefined) throw new PithError('bad-argument', `\`${name}\` is not an agent that Pith knows: ${names}`)
  return agent
}

function worldOf(args: readonly string[]): AgentWorld {
  const extensions = [
    ['src', 'pi-extension.ts'],
    ['dist', 'pi-extension.js'],
  ].map(([folder = '', file = '']) => join(PACKAGE, folder, 'gateway', 'wrap', file))
  return {
    env: process.env,
    args,
    homeFile: (path) => textOf(resolve(homedir(), path)),
    projectFile: (path) => textOf(resolve(path)),
    mcp: { command: process.execPath, args: [...process.execArgv, process.argv[1] ?? '', 'mcp'] },
    piExtension: extensions.find((file) => existsSync(file)) ?? '',
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function addressOf({ port, prefix }: GatewayReady) {
  const open = `http://127.0.0.1:${port}`
  return {
    urlOf: (upstream: string) => `${open}/${prefix}/${upstream}`,
    openUrlOf: (upstream: string) => `${open}/${upstream}`,
    secret: prefix,
  }
}

function printStart({ program }: WrappedAgent, { env, args }: AgentStart, shell: number): void {
  const lines = [
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quotedWord(value)}`),
    ...(args.length > 0 ? [`# start it as: ${[program, ...args.map(quotedWord)].join(' ')}`] : []),
    `# the gateway ends with process ${shell}`,
  ]
  writeExact(`${lines.join('\n')}\n`)
}
