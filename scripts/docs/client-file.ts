import { type OpenApi, openApi, type Route } from './open-api.ts'
import { tsType } from './ts-type.ts'

/** src/client/operations.ts, from docs/openapi.json: the shapes of the HTTP API, its events, and how each route is called. */
export function clientFile(): string {
  const document = openApi()
  const shapes = Object.entries(document.shapes).filter(([name]) => name !== 'Error')
  return `${[
    '// Generated from the document of the HTTP API before each start and test: change it there.',
    ...shapes.map(
      ([name, shape]) =>
        `${commentOf(shape.description ?? `The shape ${name} of the HTTP API.`)}export type Api${name} = ${tsType(shape)}`,
    ),
    ...Object.entries(document.events).map(([stream, events]) => eventsType(stream, events)),
    `/** The input and output of each route. */\nexport type ApiOperations = {\n${document.routes.flatMap(operationTypes).join('\n')}\n}`,
    `/** How each route is called. */\nexport const OPERATIONS = {\n${document.routes.flatMap(operationRows).join('\n')}\n} as const`,
  ].join('\n\n')}\n`
}

function eventsType(stream: string, events: OpenApi['events'][string]): string {
  const each = Object.entries(events).map(
    ([name, shape]) => `  | { readonly event: '${name}'; readonly id?: number; readonly data: ${tsType(shape, '  ')} }`,
  )
  return `/** One event of the stream. \`id\` is for the next \`lastEventId\`. */\nexport type Api${stream} =\n${each.join('\n')}`
}

type Answer = 'json' | 'text' | 'events'

/** A route that answers with JSON or with events has a name for each. */
function answersOf({ operationId, responses }: Route): (readonly [name: string, answer: Answer, type: string])[] {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}
  const json = content['application/json']?.schema
  const events = content['text/event-stream']?.schema
  const others = Object.keys(content).filter((type) => type !== 'application/json' && type !== 'text/event-stream')
  if (others.length > 0) return [[operationId, 'text', 'string']]
  return [
    ...(json === undefined ? [] : ([[operationId, 'json', tsType(json, '    ')]] as const)),
    ...(events === undefined
      ? []
      : ([[json === undefined ? operationId : `${operationId}Events`, 'events', tsType(events)]] as const)),
  ]
}

function operationTypes(route: Route): string[] {
  return answersOf(route).map(([name, answer, type]) => {
    const output = answer === 'events' ? `AsyncIterable<${type}>` : `Promise<${type}>`
    return `${commentOf(route.summary, '  ')}  ${name}: {\n    input: ${inputType(route)}\n    output: ${output}\n  }`
  })
}

function inputType({ parameters, requestBody }: Route): string {
  const of = (where: string) => parameters.filter((each) => each.in === where)
  const field = (name: string, isNeeded: boolean, type: string) => `${name}${isNeeded ? '' : '?'}: ${type}`
  // A value that a query leaves out is not sent, so null means nothing.
  const plain = (type: string) => type.replace(' | null', '')
  const query = of('query').map(({ name, required = false, schema }) => field(name, required, plain(tsType(schema))))
  const [body] = Object.values(requestBody?.content ?? {})
  const isQueryNeeded = of('query').some(({ required }) => required)
  const fields = [
    ...of('path').map(({ name, schema }) => field(name, true, tsType(schema))),
    ...(query.length === 0 ? [] : [field('query', isQueryNeeded, `{ ${query.join('; ')} }`)]),
    ...(body === undefined ? [] : [field('body', requestBody?.required === true, tsType(body.schema, '    '))]),
    ...of('header').map(({ name, schema }) => field(camelCased(name), false, tsType(schema))),
  ]
  return fields.length === 0 ? '{ query?: never }' : `{ ${fields.join('; ')} }`
}

function operationRows(route: Route): string[] {
  const [type] = Object.keys(route.requestBody?.content ?? {})
  const headers = route.parameters.filter((each) => each.in === 'header').map(({ name }) => name)
  return answersOf(route).map(([name, answer]) => {
    const row = {
      method: route.method,
      path: route.path,
      answer,
      ...(type === undefined ? {} : { type }),
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map((each) => [camelCased(each), each])) }),
    }
    return `  ${name}: ${JSON.stringify(row)
      .replace(/"(\w+)":/g, '$1: ')
      .replaceAll('"', "'")
      .replaceAll(',', ', ')},`
  })
}

function camelCased(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function commentOf(text: string | undefined, indent = ''): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}
