import fc from 'fast-check'

/** Lists of the OpenAI SDK's `ResponseInputItem`, with items of every kind, in any order. The package tests hold them against its types. */
const text = fc.string({ maxLength: 20 })
const id = fc.stringMatching(/^[a-z]{1,6}$/)
const type = <T extends string>(value: T) => fc.constant(value)
const status = fc.constantFrom('in_progress' as const, 'completed' as const, 'incomplete' as const)

const content = fc.array(
  fc.oneof(
    fc.record({ type: type('input_text'), text }),
    fc.record({
      type: type('input_image'),
      detail: fc.constantFrom('low' as const, 'auto' as const),
      image_url: fc.webUrl(),
    }),
    fc.record({ type: type('input_image'), detail: type('high'), file_id: id }),
    fc.record({ type: type('input_file'), file_data: id, filename: id }, { requiredKeys: ['type'] }),
  ),
  { maxLength: 3 },
)
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('user' as const, 'developer' as const, 'system' as const, 'assistant' as const),
    content: text,
  }),
  fc.record({ type: type('message'), role: fc.constantFrom('user' as const, 'developer' as const), content, status }),
  fc.record({
    type: type('message'),
    id,
    role: type('assistant'),
    status,
    content: fc.array(
      fc.oneof(
        fc.record({
          type: type('output_text'),
          text,
          annotations: fc.array(fc.record({ type: type('file_path'), file_id: id, index: fc.nat(3) }), {
            maxLength: 1,
          }),
        }),
        fc.record({ type: type('refusal'), refusal: text }),
      ),
      { maxLength: 2 },
    ),
  }),
)
const call = fc.oneof(
  fc.record(
    { type: type('function_call'), call_id: id, name: id, arguments: fc.oneof(fc.json(), text), id, status },
    { requiredKeys: ['type', 'call_id', 'name', 'arguments'] },
  ),
  fc.record(
    { type: type('function_call_output'), call_id: id, output: fc.oneof(text, content), id },
    { requiredKeys: ['type', 'call_id', 'output'] },
  ),
  fc.record({ type: type('custom_tool_call'), call_id: id, name: id, input: text }),
  fc.record({ type: type('custom_tool_call_output'), call_id: id, output: text }),
  fc.record({
    type: type('local_shell_call'),
    id,
    call_id: id,
    status,
    action: fc.record({ type: type('exec'), command: fc.array(text, { maxLength: 2 }), env: fc.constant({}) }),
  }),
  fc.record({ type: type('local_shell_call_output'), id, output: text }),
  fc.record({
    type: type('shell_call'),
    call_id: id,
    action: fc.record({ commands: fc.array(text, { maxLength: 2 }) }),
  }),
  fc.record({
    type: type('shell_call_output'),
    call_id: id,
    output: fc.array(
      fc.record({ stdout: text, stderr: text, outcome: fc.record({ type: type('exit'), exit_code: fc.nat(3) }) }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ type: type('apply_patch_call_output'), call_id: id, status: type('completed'), output: text }),
  fc.record({
    type: type('computer_call_output'),
    call_id: id,
    output: fc.record({ type: type('computer_screenshot'), image_url: fc.webUrl() }),
  }),
)
const ofTheProvider = fc.oneof(
  fc.record({
    type: type('reasoning'),
    id,
    summary: fc.array(fc.record({ type: type('summary_text'), text }), { maxLength: 2 }),
    encrypted_content: fc.option(text),
  }),
  fc.record({
    type: type('web_search_call'),
    id,
    status: type('completed'),
    action: fc.record({ type: type('search'), query: text, queries: fc.array(text, { maxLength: 1 }) }),
  }),
  fc.record({
    type: type('file_search_call'),
    id,
    status: type('completed'),
    queries: fc.array(text, { maxLength: 1 }),
  }),
  fc.record(
    { type: type('mcp_call'), id, name: id, server_label: id, arguments: fc.json(), output: fc.option(text) },
    { requiredKeys: ['type', 'id', 'name', 'server_label', 'arguments'] },
  ),
  fc.record({
    type: type('mcp_list_tools'),
    id,
    server_label: id,
    tools: fc.array(fc.record({ name: id, input_schema: fc.constant({}) }), { maxLength: 1 }),
  }),
  fc.record({ type: type('mcp_approval_request'), id, name: id, server_label: id, arguments: text }),
  fc.record({ type: type('mcp_approval_response'), approval_request_id: id, approve: fc.boolean() }),
  fc.record({ type: type('image_generation_call'), id, status: type('completed'), result: fc.option(text) }),
  fc.record({ type: type('item_reference'), id }),
  fc.record({ type: type('compaction'), id, encrypted_content: text }, { requiredKeys: ['type', 'encrypted_content'] }),
)

export const openAIResponsesLists = fc.array(fc.oneof(message, call, ofTheProvider), { maxLength: 10 })
