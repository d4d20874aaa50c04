// The explorer of the API. It reads the server's own document, and sends requests only to this server.

const $ = (id) => document.getElementById(id)

/** An element with its texts and children. Texts come from the document and from answers: they are never HTML. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The schema that a reference names. */
function resolved(api, schema) {
  if (schema?.$ref === undefined) return schema
  const found = schema.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at?.[key], api)
  return resolved(api, found)
}

/** A small value that a schema allows, to begin with. */
function example(api, given, depth = 0) {
  const schema = resolved(api, given) ?? {}
  if (schema.example !== undefined) return schema.example
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return example(api, choices[0], depth)
  if (schema.type === 'array') return depth > 3 ? [] : [example(api, schema.items, depth + 1)]
  if (schema.type === 'object' || schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([key]) => (schema.required ?? []).includes(key))
        .map(([key, value]) => [key, example(api, value, depth + 1)]),
    )
  return { string: 'text', integer: 1, number: 1, boolean: true }[schema.type] ?? null
}

/** The form of one operation, and the answer below it. */
function form(api, path, method, operation) {
  const parameters = operation.parameters ?? []
  const inputs = parameters.map((parameter) => element('input', { name: parameter.name, ariaLabel: parameter.name }))
  const [[type, media] = []] = Object.entries(operation.requestBody?.content ?? {})
  const isJson = type === 'application/json'
  const body =
    type === undefined
      ? undefined
      : element('textarea', {
          rows: 6,
          ariaLabel: 'body',
          value: isJson ? JSON.stringify(example(api, media.schema), null, 2) : '',
        })
  const answer = element('pre', { hidden: true, tabIndex: 0, role: 'region', ariaLabel: 'Answer' })
  const send = element('button', { type: 'button', textContent: 'Send' })
  send.addEventListener('click', async () => {
    answer.hidden = false
    answer.textContent = '…'
    const of = (place) => parameters.flatMap((each, i) => (each.in === place ? [[each.name, inputs[i].value]] : []))
    const target = of('path').reduce((at, [name, value]) => at.replace(`{${name}}`, encodeURIComponent(value)), path)
    const query = new URLSearchParams(of('query').filter(([, value]) => value !== '')).toString()
    const headers = Object.fromEntries(of('header').filter(([, value]) => value !== ''))
    try {
      const response = await fetch(query === '' ? target : `${target}?${query}`, {
        method: method.toUpperCase(),
        headers: {
          ...headers,
          ...($('token').value === '' ? {} : { authorization: `Bearer ${$('token').value}` }),
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined || body.value === '' ? {} : { body: body.value }),
      })
      answer.textContent = `${response.status} ${response.statusText}\n\n`
      await show(response, answer)
    } catch (error) {
      answer.textContent = String(error)
    }
  })
  const rows = parameters.map((parameter, i) =>
    element('p', {}, element('label', {}, `${parameter.name}${parameter.required ? '' : ' (optional)'} `, inputs[i])),
  )
  return [...rows, ...(body === undefined ? [] : [body]), element('p', {}, send), answer]
}

/** Shows an answer as it comes: a stream of events does not end. */
async function show(response, answer) {
  if ((response.headers.get('content-type') ?? '').startsWith('application/json')) {
    answer.textContent += JSON.stringify(await response.json(), null, 2)
    return
  }
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) answer.textContent += decoder.decode(piece, { stream: true })
}

function operationOf(api, path, method, operation) {
  const refusals = Object.entries(operation.responses).map(([status, { description }]) =>
    element('li', {}, element('code', { textContent: status }), ` ${description}`),
  )
  const details = element(
    'details',
    { id: operation.operationId },
    element(
      'summary',
      {},
      element('span', { className: 'method', textContent: method.toUpperCase() }),
      element('code', { textContent: path }),
      ` ${operation.summary ?? ''}`,
    ),
  )
  // The content is made only when it is opened, because the document is long.
  details.addEventListener(
    'toggle',
    () =>
      details.append(
        element('p', { textContent: operation.description ?? '' }),
        ...form(api, path, method, operation),
        element('ul', {}, ...refusals),
      ),
    { once: true },
  )
  return details
}

const response = await fetch('/v1/openapi.json')
const api = await response.json()
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const all = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    order: `${path} ${METHODS.indexOf(method)}`,
    tag: operation.tags?.[0] ?? 'other',
    text: `${method} ${path} ${operation.summary ?? ''} ${operation.tags ?? ''}`.toLowerCase(),
    shown: operationOf(api, path, method, operation),
  })),
)
const groups = Object.entries(Object.groupBy(all, ({ tag }) => tag)).map(([tag, members]) => {
  const sorted = members.toSorted((a, b) => (a.order < b.order ? -1 : 1))
  const title = element('h2', { textContent: tag[0].toUpperCase() + tag.slice(1) })
  return { members, shown: element('section', {}, title, ...sorted.map(({ shown }) => shown)) }
})
$('operations').replaceChildren(...groups.map(({ shown }) => shown))
$('search').addEventListener('input', ({ target }) => {
  for (const { text, shown } of all) shown.hidden = !text.includes(target.value.toLowerCase())
  for (const { members, shown } of groups) shown.hidden = members.every((each) => each.shown.hidden)
})
