import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { MODE_NAMES } from '../../gateway/modes/mode.ts'
import { PithError } from '../../model/problems/errors.ts'
import { SMALL_HEAP } from '../process/small-heap.ts'

/** The settings for a gateway of its own, sent on its standard input: a command line is visible to everybody. */
export type GatewayOrder = z.infer<typeof gatewayOrderSchema>
export const gatewayOrderSchema = z.object({
  upstreams: z.record(z.string(), z.string()),
  mode: z.enum(MODE_NAMES).optional(),
  trigger: z.enum(['own', 'pith']).optional(),
  /** The agent's name, and the model that it starts with. */
  agent: z.string(),
  /** The name of the run, for its bill. */
  run: z.string(),
  model: z.string().optional(),
  /** The windows that the agent's own files state, by `upstream/model`. */
  windows: z.record(z.string(), z.number()),
  /** It ends with this process. */
  watch: z.number(),
  /** Where it listens. Without it, the process is the one that keeps a gateway running. */
  place: z.object({ port: z.number(), prefix: z.string() }).optional(),
})

/** The line that it prints when it listens. */
export type GatewayReady = z.infer<typeof gatewayReadySchema>
export const gatewayReadySchema = z.object({
  port: z.number(),
  prefix: z.string(),
  holder: z.string(),
  mode: z.enum(MODE_NAMES),
  summaries: z.enum(['same-request', 'configured', 'none']),
  /** Where the agent shall compact by itself, if the user wants Pith's trigger. */
  pithTokens: z.number().optional(),
  /** Where Pith compacts in mode `rewrite`. */
  rewriteTokens: z.number().optional(),
  /** True if the window of the agent's model is known; absent if no model is named yet. */
  knowsWindow: z.boolean().optional(),
})

/** A gateway in a process of its own. */
type GatewayProcess = {
  readonly child: ChildProcess
  /** Settled when it listens, or has said why it cannot. */
  readonly ready: Promise<GatewayReady>
}

/** Starts a gateway in a process and a session of its own, so that the keys of the terminal do not reach it, and waits until it listens. */
export async function startGatewayProcess(order: GatewayOrder): Promise<GatewayReady> {
  const { child, ready } = spawnGateway(order)
  const said = await ready
  child.unref()
  return said
}

/** Starts the process of a gateway. It survives the one that starts it. */
export function spawnGateway(order: GatewayOrder): GatewayProcess {
  const [program = ''] = process.argv.slice(1)
  const flags = process.execArgv.filter((flag) => flag !== SMALL_HEAP)
  const child = spawn(process.execPath, [...flags, SMALL_HEAP, program, 'wrap-gateway'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  return { child, ready: firstLine(child.stdout) }
}

async function firstLine(output: Readable): Promise<GatewayReady> {
  for await (const line of createInterface({ input: output })) {
    const said: unknown = JSON.parse(line)
    const ready = gatewayReadySchema.safeParse(said)
    if (!ready.success)
      throw new PithError('bad-argument', String(z.object({ problem: z.string() }).parse(said).problem))
    output.destroy()
    return ready.data
  }
  throw new PithError('bad-argument', 'The gateway did not start')
}
