import { z } from 'zod'
import { defineChannel, secretOr } from './define-channel.ts'
import { basicAuth, postJson, urlOption } from './post-json.ts'

const required = z.string().min(1)

/** A record in ServiceNow through its table API, with ElastAlert's options; `correlation_id` is the alert's id. */
export const servicenow = defineChannel({
  name: 'servicenow',
  options: {
    servicenow_rest_url: urlOption,
    username: secretOr(required),
    password: secretOr(required),
    short_description: required,
    comments: required,
    assignment_group: required,
    category: required,
    subcategory: required,
    cmdb_ci: required,
    caller_id: required,
    servicenow_impact: z.union([z.string(), z.number()]).optional(),
    servicenow_urgency: z.union([z.string(), z.number()]).optional(),
    service_now_additional_fields: z.record(z.string(), z.json()).default({}),
  },
  server: { addresses: ['servicenow_rest_url'], secrets: ['username', 'password'] },
  send: async (message, options, context) => {
    const {
      servicenow_rest_url: url,
      username,
      password,
      servicenow_impact: impact,
      servicenow_urgency: urgency,
    } = options
    const body = {
      description: message.body,
      short_description: options.short_description,
      comments: options.comments,
      assignment_group: options.assignment_group,
      category: options.category,
      subcategory: options.subcategory,
      cmdb_ci: options.cmdb_ci,
      caller_id: options.caller_id,
      correlation_id: message.id,
      ...(impact === undefined ? {} : { impact }),
      ...(urgency === undefined ? {} : { urgency }),
      ...options.service_now_additional_fields,
    }
    const headers = { accept: 'application/json;charset=utf-8', authorization: basicAuth(username, password) }
    return (await postJson({ url, body, headers }, context)).said
  },
})
