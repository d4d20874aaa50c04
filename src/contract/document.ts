import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import * as compact from './compact-routes.ts'
import * as context from './context-routes.ts'
import * as eventRoutes from './event-routes.ts'
import * as messages from './message-routes.ts'
import * as sessions from './session-routes.ts'
import * as system from './system-routes.ts'
import * as events from './wire-events.ts'

/** A route of the contract with its name. */
export type NamedRoute = RouteConfig & { readonly name: string }

/** All routes by name, in the order of the document. */
export const ROUTES: readonly NamedRoute[] = [sessions, messages, context, compact, eventRoutes, system].flatMap(
  routesIn,
)

/** The OpenAPI document of the server; the shapes of events are under `x-events`. */
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

/** The routes that a file exports. The name of a route is that of its export without `Route`. */
function routesIn(exported: Readonly<Record<string, unknown>>): NamedRoute[] {
  const routes = Object.entries(exported).flatMap(([name, value]) =>
    isRoute(value) ? [{ name: name.replace(/Route$/, ''), ...value }] : [],
  )
  return routes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
