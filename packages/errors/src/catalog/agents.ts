import { defineErrors } from './entry.ts'

/** Errors of agents, agent-server and endpoint-manager. */
export const agentsErrors = defineErrors({
  enrolment_token_invalid: ['unauthenticated', 'an enrolment token is unknown, expired or revoked'],
  agent_unauthenticated: ['unauthenticated', 'an agent sent no valid access key, or one that belongs to another agent'],
  agent_certificate_invalid: ['forbidden', 'an agent sent events without a client certificate of its own'],
  agent_revoked: ['forbidden', 'an agent that is no longer enrolled asked for something'],
  agent_not_found: ['not-found', 'no agent, policy or token has this id'],
  agent_request_invalid: ['invalid', 'a request of the agent API does not have the expected form'],
  agent_request_too_large: ['too-large', 'a request of the agent API is larger than the limit, packed or unpacked'],
  agent_limit_reached: ['too-many', 'a limit of the agent API is reached; the agent tries again later'],
  sender_unauthenticated: ['unauthenticated', 'a sender of events over HTTPS gave no credentials that search knows'],
  sender_forbidden: ['forbidden', 'a sender of events over HTTPS may not create documents in the data stream'],
  admin_forbidden: ['forbidden', 'the user lacks the right to manage agents'],
  events_not_stored: ['unavailable', 'search did not take the events; the agent keeps them and sends them again'],
  decoder_invalid: ['invalid', 'a decoder file in rules/decoders does not have the expected form'],
  agent_not_offered: ['unavailable', 'agent-server cannot hand out the agent: its program or its own URL is missing'],
  agent_not_enrolled: ['conflict', 'the agent was started in a data directory that holds no enrolment'],
  agent_already_enrolled: ['conflict', 'the agent is enrolled already'],
  agent_data_invalid: ['internal', "a file in the agent's data directory cannot be read"],
  agent_policy_invalid: ['invalid', 'an input of a policy has an option that does not have the expected form'],
  action_not_allowed: ['forbidden', 'an agent was told to do what its policy or its installation does not allow'],
  agent_already_running: ['conflict', 'another agent process uses the same data directory'],
  server_unreachable: ['unavailable', 'the agent cannot reach agent-server or endpoint-manager'],
  server_refused: ['internal', 'agent-server or endpoint-manager refused what the agent sent'],
  server_untrusted: ['forbidden', "the server's certificate is not signed by the expected authority"],
})
