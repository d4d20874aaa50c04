// A client as a user of the API document writes it. `check-api.mjs` compiles it against the types that openapi-typescript makes.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:7484', headers: { authorization: 'Bearer TOKEN' } })

/** Creates a session, appends to it and reads the view and the export back. */
export async function useSession(): Promise<unknown> {
  const { data: session, error } = await client.POST('/v1/sessions', { body: { policy: { preset: 'agent' } } })
  if (error !== undefined) return error.error.message
  const params = { path: { id: session.id } }
  const said = { message: { role: 'user' as const, content: 'Hello' } }
  const header = { 'idempotency-key': 'one' }
  const { data: appended } = await client.POST('/v1/sessions/{id}/messages', {
    params: { ...params, header },
    body: { messages: [said] },
  })
  const { data: view } = await client.GET('/v1/sessions/{id}/view', { params })
  const { data: exported } = await client.GET('/v1/sessions/{id}/export', {
    params: { ...params, query: { format: 'anthropic' } },
  })
  return [session.policy.preset, appended?.status.tokens, view?.messages.length, exported]
}

/** The name of an event says which data it has. */
export function textOf(event: components['schemas']['TurnEvent']): string | undefined {
  if (event.event === 'text') return event.data.text
  return event.event === 'turn.ended' ? event.data.id : undefined
}
