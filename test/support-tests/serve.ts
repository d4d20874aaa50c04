import {
  type Answer,
  type Brain,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../support/model-server/index.ts'

const servers: ModelServer[] = []

/** A server for one test, with a brain or the answer that it always gives. */
export async function serve(
  brain: Brain | Answer,
  options: Omit<ModelServerOptions, 'brain'> = {},
): Promise<ModelServer> {
  const server = await startModelServer({ brain: typeof brain === 'function' ? brain : () => brain, ...options })
  servers.push(server)
  return server
}

export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()))
}
