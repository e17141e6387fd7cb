import type { components } from './openapi.generated.js';
import type { Body, Method, Operation, PathOf, Query } from '../http/operations.js';

type Schemas = components['schemas'];

export type Problem = Schemas['Problem'];
export type Memory = Schemas['Memory'];
export type CreatedMemory = Schemas['CreatedMemory'];
export type MemoryUsage = Schemas['MemoryUsage'];
export type Strategy = Schemas['Strategy'];
export type DeletedStrategy = Schemas['DeletedStrategy'];
export type Actor = Schemas['Actor'];
export type ActorDetails = Schemas['ActorDetails'];
export type ActorProfile = Schemas['ActorProfile'];
export type Session = Schemas['Session'];
export type RecentSession = Schemas['RecentSession'];
export type SessionDetails = Schemas['SessionDetails'];
export type Event = Schemas['Event'];
export type AppendedEvent = Schemas['AppendedEvent'];
export type TurnHit = Schemas['TurnHit'];
export type MemoryRecord = Schemas['MemoryRecord'];
export type RecordExplanation = Schemas['RecordExplanation'];
export type RecordDeletion = Schemas['RecordDeletion'];
export type Context = Schemas['Context'];
export type ContextMessage = Schemas['ContextMessage'];
export type ErasureReceipt = Schemas['ErasureReceipt'];
export type ErasureReceiptEverywhere = Schemas['ErasureReceiptEverywhere'];
export type ExtractionProgress = Schemas['ExtractionProgress'];
export type SessionExtraction = Schemas['SessionExtraction'];
export type ParkedWindow = Schemas['ParkedWindow'];
export type ParkedWork = Schemas['ParkedWork'];
export type ImportedMemory = Schemas['ImportedMemory'];
export type Agent = Schemas['Agent'];
export type ConversationMessage = Schemas['ConversationMessage'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryContent = Schemas['WebhookDeliveryContent'];
export type WebhookTestResult = Schemas['WebhookTestResult'];
export type Tenant = Schemas['Tenant'];
export type ApiKey = Schemas['ApiKey'];
export type MadeApiKey = Schemas['MadeApiKey'];
export type AuditEntry = Schemas['AuditEntry'];
export type Caller = Schemas['Caller'];
export type Limit = Schemas['Limit'];
export type Reconciliation = Schemas['Reconciliation'];

/** The JSON body of an operation. */
export type BodyOf<M extends Method, P extends PathOf<M>> = Body<Operation<M, P>>;
/** The query parameters of an operation. */
export type QueryOf<M extends Method, P extends PathOf<M>> = Query<Operation<M, P>>;

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
