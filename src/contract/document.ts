import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import * as compact from './compact.ts'
import * as context from './context.ts'
import * as events from './events.ts'
import * as messages from './messages.ts'
import * as sessions from './sessions.ts'
import * as system from './system.ts'

/** A route of the contract, and what it is called there. */
export type NamedRoute = RouteConfig & { readonly name: string }

/** All routes by name, as they are documented. */
export const ROUTES: readonly NamedRoute[] = Object.entries({
  ...sessions,
  ...messages,
  ...context,
  ...compact,
  ...events,
  ...system,
}).flatMap(([name, value]) => (isRoute(value) ? [{ name, ...value }] : []))

/** The OpenAPI document of the server; the shapes of events stand in it under `x-events`. */
export function openApiDocument(version: string): Readonly<Record<string, unknown>> {
  const app = new OpenAPIHono()
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  for (const { name, ...route } of ROUTES) app.openAPIRegistry.registerPath({ operationId: name, ...route })
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Pith', version, description: 'Keeps the conversations of agents inside their context window.' },
    security: [{ token: [] }],
  })
  return {
    ...document,
    'x-events': {
      session: shapes(events.SESSION_EVENTS),
      all: shapes(events.ALL_EVENTS),
      turn: shapes(events.TURN_EVENTS),
      compact: shapes(events.COMPACT_EVENTS),
    },
  }
}

function isRoute(value: unknown): value is RouteConfig {
  return typeof value === 'object' && value !== null && 'path' in value && 'responses' in value
}

function shapes(events: Readonly<Record<string, z.ZodType>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(events).map(([name, schema]) => {
      const { $schema: _, ...shape } = z.toJSONSchema(schema, { unrepresentable: 'any' })
      return [name, shape]
    }),
  )
}
