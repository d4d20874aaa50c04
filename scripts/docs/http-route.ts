import { EXAMPLES } from './http-examples.ts'
import { code, table } from './markdown.ts'
import type { OpenApi, Route } from './open-api.ts'
import { type Shape, typeText } from './type-text.ts'

/** The answers that every route may give: listed once for all of them. */
export const ALWAYS: readonly string[] = ['400', '401', '403', '503']

/** The section of a route: call, parameters, body, answers. */
export function routeSection(route: Route, shapes: OpenApi['shapes']): string {
  return [
    `### ${route.summary.replaceAll('`', '')}`,
    `${code(`${route.method} ${route.path}`)}${route.security?.length === 0 ? ', without a token' : ''}`,
    ...(route.description === undefined ? [] : [route.description]),
    `\`\`\`sh\n${curl(route)}\n\`\`\``,
    ...parameters(route),
    ...body(route, shapes),
    answers(route),
  ].join('\n\n')
}

/** The line that calls a route. `$PITH`, `$TOKEN`, `$AUTH`, `$ID` and `$SEQ`, a compaction, are set before. */
export function curl({ operationId, method, path, security }: Route): string {
  const { query, body: sent, flags } = EXAMPLES[operationId] ?? {}
  const place = path.replace('{id}', '$ID').replace('/pins/{seq}', '/pins/2').replace('{seq}', '$SEQ')
  const url = `$PITH${place.replace('{link}', 'LINK').replace('{name}', 'alice')}${query === undefined ? '' : `?${query}`}`
  const parts = [
    'curl',
    ...(method === 'GET' || (method === 'POST' && (sent !== undefined || / --data| -d /.test(flags ?? '')))
      ? []
      : [`-X ${method}`]),
    `"${url}"`,
    ...(security?.length === 0 ? [] : ['-H "$AUTH"']),
    ...(flags === undefined ? [] : [flags]),
    ...(sent === undefined ? [] : [`-H 'Content-Type: application/json' -d '${JSON.stringify(sent)}'`]),
  ]
  return parts.join(' ')
}

/** The name of a shape, as a link to its section. */
export function shapeLink(ref: string): string {
  const name = ref.split('/').at(-1) ?? ref
  return `[${name}](#${name.toLowerCase()})`
}

/** The fields of a shape that is a table. */
export function fieldTable({ properties = {}, required = [] }: Shape): string {
  const rows = Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property !== 'object') return []
    const type = typeText(property, shapeLink)
    return [[code(name), required.includes(name) ? type : `${type}, optional`, property.description ?? '']]
  })
  return table(['field', 'type', 'meaning'], rows)
}

function parameters(route: Route): string[] {
  const own = route.parameters.filter(({ in: place }) => place !== 'path')
  if (own.length === 0) return []
  const rows = own.map(({ name, in: place, schema, description }) => [
    code(name),
    place,
    `${typeText(schema)}${schema.default === undefined ? '' : `, by default ${code(String(schema.default))}`}`,
    description ?? schema.description ?? (name === 'idempotency-key' ? 'a post with the same key is done once' : ''),
  ])
  return [table(['parameter', 'in', 'type', 'meaning'], rows)]
}

function body({ requestBody }: Route, shapes: OpenApi['shapes']): string[] {
  if (requestBody === undefined) return []
  const optional = requestBody.required === true ? '' : ', may be left out'
  return Object.entries(requestBody.content).map(([type, { schema }]) => {
    const shape = schema.$ref === undefined ? schema : (shapes[schema.$ref.split('/').at(-1) ?? ''] ?? schema)
    const text = shape.properties === undefined ? '' : `\n\n${fieldTable(shape)}`
    return `Body (${code(type)}${optional})${text === '' ? '.' : ':'}${text}`
  })
}

function answers(route: Route): string {
  const lines = Object.entries(route.responses)
    .filter(([status]) => status.startsWith('2') || !ALWAYS.includes(status))
    .map(([status, { description, content = {} }]) => {
      const forms = Object.entries(content).map(([type, { schema }]) => formText(type, schema))
      const what = status.startsWith('2') && forms.length > 0 ? `: ${forms.join('; ')}` : ''
      return `- ${code(status)} ${description}${what}`
    })
  return lines.join('\n')
}

function formText(type: string, schema: Shape): string {
  if (type !== 'application/json')
    return schema.$ref === undefined ? code(type) : `${code(type)} of ${shapeLink(schema.$ref)}`
  if (schema.properties === undefined) return typeText(schema, shapeLink)
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const text = typeof property === 'object' ? typeText(property, shapeLink) : 'anything'
    return `${code(name)} (${text}${schema.required?.includes(name) === true ? '' : ', optional'})`
  })
  return fields.join(', ')
}
