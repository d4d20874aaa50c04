import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { MODE_NAMES } from '../../../gateway/modes/mode.ts'
import { PithError } from '../../../model/errors.ts'
import { SMALL_HEAP } from '../../process/small-heap.ts'

/** What a gateway of its own is told, on its standard input: a command line is visible to everybody. */
type GatewayOrder = z.infer<typeof gatewayOrderSchema>
export const gatewayOrderSchema = z.object({
  upstreams: z.record(z.string(), z.string()),
  mode: z.enum(MODE_NAMES).optional(),
  /** It ends with this process. */
  watch: z.number(),
})

/** What it says when it listens. */
export type GatewayReady = z.infer<typeof gatewayReadySchema>
export const gatewayReadySchema = z.object({
  port: z.number(),
  prefix: z.string(),
  holder: z.string(),
  mode: z.enum(MODE_NAMES),
  summaries: z.enum(['same-request', 'configured', 'none']),
  triggerTokens: z.number().optional(),
})

/** Starts a gateway in a process and a session of its own, so that the keys of the terminal do not reach it, and waits until it listens. */
export async function startGatewayProcess(order: GatewayOrder): Promise<GatewayReady> {
  const [program = ''] = process.argv.slice(1)
  const child = spawn(process.execPath, [...process.execArgv, SMALL_HEAP, program, 'wrap-gateway'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(order))
  for await (const line of createInterface({ input: child.stdout })) {
    const said: unknown = JSON.parse(line)
    const ready = gatewayReadySchema.safeParse(said)
    if (!ready.success)
      throw new PithError('bad-argument', String(z.object({ problem: z.string() }).parse(said).problem))
    child.stdout.destroy()
    child.unref()
    return ready.data
  }
  throw new PithError('bad-argument', 'The gateway did not start')
}
