import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Shape } from './type-text.ts'

/** A shape is written by zod itself: what it holds is not looked at again. */
const shapeSchema = z.custom<Shape>((value) => typeof value === 'object' && value !== null)
const contentSchema = z.record(z.string(), z.object({ schema: shapeSchema }))

/** One route of the document, as far as the page says it. */
export type Operation = z.infer<typeof operationSchema>
const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: shapeSchema,
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: contentSchema.optional() })),
})

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), shapeSchema) }),
})

/** The shape of a stream: one shape for each event. */
const streamSchema = z.object({
  oneOf: z.array(z.object({ properties: z.object({ event: z.object({ const: z.string() }), data: shapeSchema }) })),
})
const STREAMS = ['SessionEvent', 'AnyEvent', 'TurnEvent', 'CompactEvent']

/** A route with its method and path. */
export type Route = Operation & { readonly method: string; readonly path: string }

export type OpenApi = {
  readonly routes: readonly Route[]
  readonly shapes: Readonly<Record<string, Shape>>
  /** The events of each stream by name; the streams are not among the shapes. */
  readonly events: Readonly<Record<string, Readonly<Record<string, Shape>>>>
}

/** The content of docs/openapi.json. */
export function openApi(): OpenApi {
  const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  const { paths, components } = documentSchema.parse(JSON.parse(text))
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const isStream = ([name]: readonly [string, Shape]) => STREAMS.includes(name)
  const shapes = Object.entries(components.schemas)
  return {
    routes,
    shapes: Object.fromEntries(shapes.filter((shape) => !isStream(shape))),
    events: Object.fromEntries(shapes.filter(isStream).map(([name, shape]) => [name, eventsIn(shape)])),
  }
}

function eventsIn(stream: Shape): Record<string, Shape> {
  const { oneOf } = streamSchema.parse(stream)
  return Object.fromEntries(oneOf.map(({ properties: { event, data } }) => [event.const, data]))
}
