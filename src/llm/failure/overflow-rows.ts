/** One way in which a provider says that a request is larger than the model's window. */
export type OverflowRow = {
  readonly provider: string
  /** A real message: an HTTP body or, if `status` is absent, an error inside a stream that began normally. */
  readonly sample: string
  readonly status?: number
  /** Matches the message. */
  readonly says: RegExp
  /** Find the size of the input, the limit, and the size of the answer, if the message has them. */
  readonly tokens?: RegExp
  readonly limit?: RegExp
  readonly output?: RegExp
}

/** The messages of providers, most of them quoted from reports of users. The first row that matches counts. */
export const OVERFLOW_ROWS: readonly OverflowRow[] = [
  {
    provider: 'anthropic',
    status: 400,
    sample:
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}',
    says: /prompt is too long: \d+ tokens > \d+ maximum/i,
    tokens: /too long: (\d+) tokens/i,
    limit: /> (\d+) maximum/i,
  },
  {
    provider: 'anthropic',
    status: 400,
    sample:
      '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again"}}',
    says: /input length and `?max_tokens`? exceed context limit/i,
    tokens: /limit: (\d+) \+/i,
    output: /limit: \d+ \+ (\d+)/i,
    limit: /> (\d+)/,
  },
  {
    provider: 'anthropic',
    status: 413,
    sample:
      '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"},"request_id":"req_1"}',
    says: /request_too_large/i,
  },
  {
    provider: 'openai',
    status: 400,
    sample:
      '{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}',
    says: /exceeds the context window of this model/i,
  },
  {
    provider: 'openai',
    sample:
      '{"type":"response.failed","sequence_number":2,"response":{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again."}}}',
    says: /exceeds the context window of this model/i,
  },
  {
    provider: 'google',
    status: 400,
    sample:
      '{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}',
    says: /input token count.*exceeds the maximum number of tokens/i,
    tokens: /token count \(?([\d,]+)\)?/i,
    limit: /allowed \(?([\d,]+)\)?/i,
  },
  {
    provider: 'google', // Vertex
    status: 400,
    sample:
      '{"error":{"code":400,"message":"Unable to submit request because the input token count is 1196265 but model only supports up to 1048576. Reduce the input token count and try again.","status":"INVALID_ARGUMENT"}}',
    says: /input token count is \d+ but model only supports up to/i,
    tokens: /count is (\d+)/i,
    limit: /up to (\d+)/i,
  },
  {
    provider: 'google', // in bytes, not tokens
    status: 400,
    sample:
      '{"error":{"code":400,"message":"Request payload size exceeds the limit: 20971520 bytes.","status":"INVALID_ARGUMENT"}}',
    says: /payload size exceeds the limit/i,
  },
  {
    provider: 'xai',
    status: 400,
    sample:
      '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 537812 tokens."}',
    says: /maximum prompt length is \d+/i,
    tokens: /request contains (\d+) tokens/i,
    limit: /prompt length is (\d+)/i,
  },
  {
    provider: 'openrouter',
    status: 400,
    sample:
      '{"error":{"message":"This endpoint\'s maximum context length is 131072 tokens. However, you requested about 141607 tokens (138535 of text input, 3072 in the output). Please reduce the length of either one, or use the \\"middle-out\\" transform to compress your prompt automatically.","code":400,"metadata":{"provider_name":"Chutes"}}}',
    says: /endpoint's maximum context length is/i,
    tokens: /\((\d+) of text input/i,
    output: /(\d+) in the output/i,
    limit: /context length is (\d+) tokens/i,
  },
  {
    provider: 'deepseek', // and OpenAI's older API
    status: 400,
    sample:
      '{"error":{"message":"This model\'s maximum context length is 131072 tokens. However, you requested 138956 tokens (130764 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    says: /maximum context length is \d+ tokens\. However, (?:you requested|your messages resulted in) \d+ tokens/i,
    tokens: /\((\d+) in the messages|resulted in (\d+) tokens/i,
    output: /(\d+) in the completion/i,
    limit: /context length is (\d+) tokens/i,
  },
  {
    provider: 'vllm',
    status: 400,
    sample:
      '{"error":{"message":"This model\'s maximum context length is 32768 tokens. However, your request has 40210 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=40210)","type":"BadRequestError","param":"input_tokens","code":400}}',
    says: /maximum context length is \d+ tokens\. However, your request has/i,
    tokens: /has (\d+) input tokens/i,
    output: /plus (\d+) 'max_tokens'/i,
    limit: /context length is (\d+) tokens/i,
  },
  {
    provider: 'vllm', // other versions
    status: 400,
    sample:
      '{"object":"error","message":"This model\'s maximum context length is 32768 tokens. However, you requested 4096 output tokens and your prompt contains at least 28673 input tokens, for a total of at least 32769 tokens.","type":"BadRequestError","param":null,"code":400}',
    says: /your prompt contains at least \d+ input tokens/i,
    tokens: /at least (\d+) input tokens/i,
    output: /requested (\d+) output tokens/i,
    limit: /context length is (\d+) tokens/i,
  },
  {
    provider: 'compatible', // servers that name their window alone
    status: 400,
    sample:
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    says: /maximum context length is [\d,]+ tokens\.?(?=["\n]|$| Please reduce)/i,
    limit: /context length is ([\d,]+) tokens/i,
  },
  {
    provider: 'cerebras',
    status: 400,
    sample:
      '{"message":"Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}',
    says: /current length is \d+ while limit is/i,
    tokens: /current length is (\d+)/i,
    limit: /limit is (\d+)/i,
  },
  {
    provider: 'groq',
    status: 400,
    sample:
      '{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    says: /"code":\s*"context_length_exceeded"/i,
  },
  {
    provider: 'mistral',
    status: 400,
    sample:
      '{"object":"error","message":"Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","param":null,"code":"3051"}',
    says: /too large for model with \d+ maximum context length/i,
    tokens: /contains (\d+) tokens/i,
    limit: /with (\d+) maximum/i,
  },
  {
    provider: 'together',
    status: 400,
    sample:
      '{"error":{"message":"The input (516368 tokens) is longer than the model\'s context length (262144 tokens).","type":"invalid_request_error","param":null,"code":null}}',
    says: /is longer than the model's context length/i,
    tokens: /input \((\d+) tokens\)/i,
    limit: /context length \((\d+) tokens\)/i,
  },
  {
    provider: 'together', // and servers of Hugging Face
    status: 422,
    sample:
      '{"error":{"message":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 8204 `inputs` tokens and 512 `max_new_tokens`","type":"invalid_request_error","param":"max_tokens","code":null}}',
    says: /`inputs` tokens \+ `max_new_tokens` must be <=/i,
    tokens: /Given: (\d+) `inputs`/i,
    output: /and (\d+) `max_new_tokens`/i,
    limit: /must be <= (\d+)/i,
  },
  {
    provider: 'fireworks',
    status: 400,
    sample:
      '{"error":{"object":"error","type":"invalid_request_error","code":"invalid_request_error","message":"The prompt is too long: 138902, model maximum context length: 131071"}}',
    says: /prompt is too long: \d+, model maximum context length/i,
    tokens: /too long: (\d+)/i,
    limit: /context length: (\d+)/i,
  },
  {
    provider: 'llamacpp',
    status: 400,
    sample:
      '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}',
    says: /exceed_context_size_error|exceeds the available context size/i,
    tokens: /"n_prompt_tokens":\s*(\d+)/,
    limit: /"n_ctx":\s*(\d+)/,
  },
  {
    provider: 'llamacpp', // its Python server
    status: 400,
    sample:
      '{"error":{"message":"Requested tokens (2285) exceed context window of 2048","type":"invalid_request_error"}}',
    says: /requested tokens \(\d+\) exceed context window of/i,
    tokens: /tokens \((\d+)\)/i,
    limit: /window of (\d+)/i,
  },
  {
    provider: 'lmstudio',
    sample:
      '{"error":"Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input."}',
    says: /trying to keep the first \d+ tokens when context the overflows/i,
    tokens: /first (\d+) tokens/i,
    limit: /only (\d+) tokens/i,
  },
  {
    provider: 'lmstudio',
    sample:
      '{"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10136 >= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input."}}',
    says: /tokens to keep from the initial prompt is greater than the context length/i,
    tokens: /n_keep: (\d+)/,
    limit: /n_ctx: (\d+)/,
  },
  {
    provider: 'ollama',
    status: 400,
    sample:
      '{"error":{"message":"prompt too long; exceeded max context length by 4210 tokens","type":"invalid_request_error","param":null,"code":null}}',
    says: /prompt too long; exceeded (?:max )?context length|input length exceeds the context length/i,
  },
  {
    provider: 'minimax',
    status: 400,
    sample:
      '{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)","http_code":"400"}}',
    says: /context window exceeds limit/i,
  },
  {
    provider: 'moonshot',
    status: 400,
    sample:
      '{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)","type":"invalid_request_error"}}',
    says: /exceeded model token limit/i,
    tokens: /requested: (\d+)/i,
    limit: /token limit: (\d+)/i,
  },
  {
    provider: 'zai',
    status: 400,
    sample: '{"error":{"code":"1261","message":"Prompt exceeds max length"}}',
    says: /prompt exceeds max length|model_context_window_exceeded/i,
  },
  {
    provider: 'copilot',
    status: 400,
    sample:
      '{"error":{"message":"prompt token count of 138898 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
    says: /model_max_prompt_tokens_exceeded|prompt token count of \d+ exceeds the limit/i,
    tokens: /count of (\d+)/i,
    limit: /limit of (\d+)/i,
  },
  {
    provider: 'bedrock',
    status: 400,
    sample: '{"message":"Input is too long for requested model."}',
    says: /input is too long for requested model/i,
  },
  {
    provider: 'litellm',
    status: 400,
    sample:
      '{"error":{"message":"Input length (265330) exceeds model\'s maximum context length (262144).","type":"invalid_request_error","code":"400"}}',
    says: /exceeds (?:the )?(?:model'?s )?maximum (?:context|allowed input) length/i,
    tokens: /input length \(?(\d+)\)?/i,
    limit: /maximum (?:context|allowed input) length(?: of)? \(?(\d+)\)?/i,
  },
  {
    provider: 'anthropic', // on Vertex and behind gateways, without numbers
    status: 413,
    sample: '{"type":"error","error":{"type":"invalid_request_error","message":"Prompt is too long"}}',
    says: /prompt is too long/i,
  },
]

/** Messages that look like an overflow but are not: the size of the conversation is not the cause, or not of this request. */
export const FALSE_FRIENDS: readonly { provider: string; status: number; sample: string; says: RegExp }[] = [
  {
    provider: 'openai',
    status: 429,
    sample:
      '{"error":{"message":"Request too large for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45123. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}',
    says: /tokens per min/i,
  },
  {
    provider: 'groq', // a rate limit, although the status is 413
    status: 413,
    sample:
      '{"error":{"message":"Request too large for model `llama-3.1-8b-instant` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 8041, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}',
    says: /tokens per min/i,
  },
  {
    provider: 'anthropic',
    status: 429,
    sample:
      '{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 30,000 input tokens per minute."}}',
    says: /rate limit|rate_limit/i,
  },
  {
    provider: 'bedrock',
    status: 429,
    sample: '{"message":"Too many tokens, please wait before trying again."}',
    says: /too many (?:tokens|requests), please wait/i,
  },
  {
    provider: 'google',
    status: 429,
    sample:
      '{"error":{"code":429,"message":"You exceeded your current quota. Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000","status":"RESOURCE_EXHAUSTED"}}',
    says: /RESOURCE_EXHAUSTED/,
  },
  {
    provider: 'anthropic', // the answer asked for is too long, not the conversation
    status: 400,
    sample:
      '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5"}}',
    says: /maximum allowed number of output tokens/i,
  },
]
