import { inject, onTestFinished } from 'vitest'
import { type AgentAnswer, type AgentModel, startAgentModel } from './agent-model.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'
import { placeClient, type RunningClient } from './run-client.ts'

/** A model server and agents that talk to it, gone after the test. */
export type ClientWorld = {
  readonly model: AgentModel
  readonly place: (client: Client, options?: { window?: number }) => RunningClient
}

export async function clientWorld(brain: (asked: Asked) => AgentAnswer): Promise<ClientWorld> {
  const model = await startAgentModel(brain)
  onTestFinished(() => model.close())
  return {
    model,
    place: (client, options = {}) => {
      const running = placeClient(client, { program: programOf(client), url: model.url, ...options })
      onTestFinished(running.remove)
      return running
    },
  }
}

/** The path of an agent's program; one that was not installed fails the test with the reason. */
function programOf({ name }: Client): string {
  const installed = inject('installed')[name]
  if ('problem' in installed) throw new Error(installed.problem)
  return installed.program
}
