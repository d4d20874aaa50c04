import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import * as compact from './routes/compact-routes.ts'
import * as context from './routes/context-routes.ts'
import * as eventRoutes from './routes/event-routes.ts'
import * as leaveOuts from './routes/leave-out-routes.ts'
import * as links from './routes/link-routes.ts'
import * as memory from './routes/memory-routes.ts'
import * as messages from './routes/message-routes.ts'
import * as overview from './routes/overview-routes.ts'
import * as sessions from './routes/session-routes.ts'
import * as system from './routes/system-routes.ts'
import * as tokens from './routes/token-routes.ts'
import { ALL_EVENTS, COMPACT_EVENTS, SESSION_EVENTS, TURN_EVENTS } from './shapes/wire-events.ts'

/** A route of the contract with its name. */
export type NamedRoute = RouteConfig & { readonly name: string }

/** All routes by name, in the order of the document. */
export const ROUTES: readonly NamedRoute[] = [
  sessions,
  links,
  overview,
  memory,
  messages,
  context,
  leaveOuts,
  compact,
  eventRoutes,
  tokens,
  system,
].flatMap(routesIn)

/** The OpenAPI document of the server. Every stream has the shape of its events. */
export function openApiDocument(version: string): Readonly<Record<string, unknown>> {
  const app = new OpenAPIHono()
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  for (const { name, ...route } of ROUTES) app.openAPIRegistry.registerPath({ operationId: name, ...route })
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Pith', version, description: 'Keeps the conversations of agents inside their context window.' },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    security: [{ token: [] }],
  })
  for (const methods of Object.values(document.paths ?? {}))
    for (const operation of Object.values(methods)) nameEvents(operation)
  const streams = Object.fromEntries(STREAMS.map(({ name, events }) => [name, eventSchema(events)]))
  return {
    ...document,
    components: { ...document.components, schemas: { ...document.components?.schemas, ...streams } },
  }
}

/** The streams: the route of each, and its events. */
const STREAMS = [
  { route: 'sessionEvents', name: 'SessionEvent', events: SESSION_EVENTS },
  { route: 'allEvents', name: 'AnyEvent', events: ALL_EVENTS },
  { route: 'postTurn', name: 'TurnEvent', events: TURN_EVENTS },
  { route: 'compactSession', name: 'CompactEvent', events: COMPACT_EVENTS },
]

/** One event of a stream: its name and the data that belongs to it. */
function eventSchema(events: Readonly<Record<string, z.ZodType>>): object {
  const id = { type: 'integer', description: 'For `Last-Event-ID`' }
  const oneOf = Object.entries(events).map(([name, schema]) => {
    const { $schema: _, ...data } = z.toJSONSchema(schema, { unrepresentable: 'any' })
    const properties = { event: { type: 'string', const: name }, id, data }
    return { type: 'object', required: ['event', 'data'], properties }
  })
  return { description: 'One server-sent event', oneOf }
}

/** Documents the events of an operation that streams, instead of a plain text. */
function nameEvents(operation: unknown): void {
  const { operationId, responses = {} } = operation as { operationId?: string; responses?: Record<string, Answer> }
  const stream = STREAMS.find(({ route }) => route === operationId)
  if (stream === undefined) return
  for (const { content } of Object.values(responses)) {
    const media = content?.['text/event-stream']
    if (media !== undefined) media.schema = { $ref: `#/components/schemas/${stream.name}` }
  }
}

// The library types a document loosely; these are the parts that are changed.
type Answer = { readonly content?: Record<string, { schema?: unknown }> }

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
