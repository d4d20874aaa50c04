import { ERROR_CODES } from './http-error-codes.ts'
import { ALWAYS, fieldTable, routeSection, shapeLink } from './http-route.ts'
import { code, GENERATED, page, table } from './markdown.ts'
import { type OpenApi, openApi, type Route } from './open-api.ts'
import { type Shape, typeText } from './type-text.ts'

const GROUPS: Readonly<Record<string, string>> = {
  sessions: 'Sessions',
  overview: 'All sessions at once',
  messages: 'Messages and turns',
  context: 'The context',
  compaction: 'Compaction',
  models: 'Models',
  events: 'Events',
  system: 'System',
}
const METHODS: readonly string[] = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE']

/** docs/http.md, from docs/openapi.json. */
export function httpPage(): string {
  const document = openApi()
  return page(
    GENERATED,
    '# The HTTP API',
    INTRODUCTION,
    routeTable(document.routes),
    ...Object.entries(GROUPS).map(([tag, title]) => groupSection(title, routesOf(document.routes, tag), document)),
    `## Names of events\n\n${EVENTS}`,
    ...Object.entries(document.events).map(([stream, events]) => eventSection(stream, events)),
    `## Errors\n\n${ERRORS}\n\n${errorTable()}`,
    '## Shapes',
    ...Object.entries(document.shapes)
      .filter(([name]) => !bodyNames(document.routes).has(name))
      .map(([name, shape]) => shapeSection(name, shape)),
  )
}

const INTRODUCTION = `\`pith serve\` prints its address, \`pith serve token add NAME\` makes a token; [deploy.md](deploy.md) says how to run it for a team. The calls below work as typed on a session that
these lines make: the bundled example with one compaction, \`$SEQ\`. What takes something back needs something to take back, so type \`undo\` before \`redo\`, \`leave-out\` before \`put-back\`, and the deletion of the session last.
A turn (\`POST …/turn\`) needs a model on the server, and so does a summary by a model: without one the turn is answered with 409 \`no-model\`, and a compaction by the default policy makes a digest.
The lines can be typed again: they work in a new folder, with a token that has its name and ends after a day.

\`\`\`sh
cd "$(mktemp -d)"
export PITH=http://127.0.0.1:7484 TOKEN=$(pith serve token add "\${PWD##*/}" --owner local --admin --expires 1d)
export AUTH="Authorization: Bearer $TOKEN"
pith compact example --offline --to pith --out session.jsonl >record.md
export ID=$(curl -s "$PITH/v1/sessions/import" -H "$AUTH" -H 'Content-Type: application/x-ndjson' --data-binary @session.jsonl | sed 's/.*"session":{"id":"\\([^"]*\\)".*/\\1/')
export SEQ=$(curl -s "$PITH/v1/sessions/$ID/compactions" -H "$AUTH" | sed 's/.*"seq":\\([0-9]*\\).*/\\1/')
\`\`\`

Bodies and answers are JSON in snake_case; messages have the shape of the AI SDK's \`ModelMessage\`. An unknown field is refused. A token sees its own sessions only.
A browser has a session cookie instead of the token (\`POST /v1/sign-in\`); with it, only pages of the server itself can change something.
The same as a document for machines: [openapi.json](openapi.json), which a server also serves at \`/v1/openapi.json\`; for TypeScript there is [a client](deploy.md#a-client-for-typescript). Every route may answer
${ALWAYS.map(code).join(', ')} besides what is said there; see [Errors](#errors).`

const EVENTS = `Server-sent events: \`event:\` is the name, \`data:\` JSON. \`id:\` is the seq of an entry; a listener that was cut off goes on with \`Last-Event-ID\`.
Clients pass over names that they do not know: more may come. A field with \`?\` may be missing.`

const ERRORS = `An error is \`{ "error": { "code", "message", "request_id" } }\`; the message is one line: what is wrong, where, what to do.`

/** The route that each stream comes from. */
const STREAMS: Readonly<Record<string, string>> = {
  SessionEvent: 'Of a session: `GET /v1/sessions/{id}/events`',
  AnyEvent: 'Of all sessions: `GET /v1/events`',
  TurnEvent: 'Of a reply: `POST /v1/sessions/{id}/turn`',
  CompactEvent: 'Of a compaction: `POST /v1/sessions/{id}/compact`',
}

function routesOf(routes: readonly Route[], tag: string): Route[] {
  const order = (route: Route) => `${route.path} ${METHODS.indexOf(route.method)}`
  return routes.filter(({ tags }) => tags.includes(tag)).toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

function routeTable(routes: readonly Route[]): string {
  const rows = Object.keys(GROUPS)
    .flatMap((tag) => routesOf(routes, tag))
    .map(({ method, path, summary }) => [code(`${method} ${path}`), summary])
  return table(['route', 'what it does'], rows)
}

function groupSection(title: string, routes: readonly Route[], { shapes }: OpenApi): string {
  return [`## ${title}`, ...routes.map((route) => routeSection(route, shapes))].join('\n\n')
}

function eventSection(stream: string, events: Readonly<Record<string, Shape>>): string {
  const fields = ({ properties = {}, required = [] }: Shape) =>
    Object.keys(properties)
      .map((name) => code(required.includes(name) ? name : `${name}?`))
      .join(', ')
  const rows = Object.entries(events).map(([name, shape]) => [
    code(name),
    shape.description ?? '',
    fields(shape) || typeText(shape, shapeLink),
  ])
  return `### ${stream}\n\n${STREAMS[stream] ?? ''}\n\n${table(['event', 'when it comes', 'data'], rows)}`
}

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).flatMap(([status, codes]) =>
    Object.entries(codes).map(([name, meaning]) => [status, code(name), meaning]),
  )
  return table(['status', 'code', 'meaning'], rows)
}

/** Shapes that are the body of one route are shown there. */
function bodyNames(routes: readonly Route[]): ReadonlySet<string> {
  const bodies = routes.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
  return new Set(bodies.map(({ schema }) => schema.$ref?.split('/').at(-1) ?? ''))
}

function shapeSection(name: string, shape: Shape): string {
  const parts = shape.allOf?.flatMap((part) => (typeof part === 'object' ? [part] : [])) ?? [shape]
  const based = parts.flatMap(({ $ref }) => ($ref === undefined ? [] : [`All of ${shapeLink($ref)}, and:`]))
  const tables = parts.filter(({ properties }) => properties !== undefined).map(fieldTable)
  const text = tables.length === 0 && based.length === 0 ? [`${typeText(shape, shapeLink)}.`] : []
  return [
    `### ${name}`,
    ...(shape.description === undefined ? [] : [shape.description]),
    ...based,
    ...tables,
    ...text,
  ].join('\n\n')
}
