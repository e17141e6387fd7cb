"""Webhook endpoints, and the administration of an installation."""

from __future__ import annotations

from typing import Any, Unpack

from .. import types
from .._requests import CallOptions, given
from .transport import AsyncList, AsyncTransport

ENDPOINTS = "/v1/webhook-endpoints"
ENDPOINT = ENDPOINTS + "/{endpointId}"
DELIVERIES = ENDPOINT + "/deliveries"
DELIVERY = DELIVERIES + "/{deliveryId}"
TENANTS = "/v1/admin/tenants"
TENANT = TENANTS + "/{tenantId}"
KEYS = TENANT + "/keys"
KEY = KEYS + "/{keyId}"
PARKED = "/v1/admin/parked"


class AsyncWebhooks:
    """Endpoints of webhooks and their deliveries. Needs a key with the scope `webhooks:admin`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, body: types.CreateWebhookEndpointBody, **call: Unpack[CallOptions]
    ) -> types.WebhookEndpointWithSecret:
        """Creates an endpoint. Its secret is shown only here."""
        return await self._transport.request("POST", ENDPOINTS, call, body=body)

    def list(self, **call: Unpack[CallOptions]) -> AsyncList[types.WebhookEndpoint]:
        return self._transport.pages(ENDPOINTS, call, query={"limit": 100})

    async def get(self, endpoint_id: str, **call: Unpack[CallOptions]) -> types.WebhookEndpoint:
        return await self._transport.request("GET", ENDPOINT, call, path={"endpointId": endpoint_id})

    async def change(
        self, endpoint_id: str, body: types.ChangeWebhookEndpointBody, **call: Unpack[CallOptions]
    ) -> types.WebhookEndpoint:
        return await self._transport.request("PATCH", ENDPOINT, call, path={"endpointId": endpoint_id}, body=body)

    async def delete(self, endpoint_id: str, **call: Unpack[CallOptions]) -> None:
        await self._transport.request("DELETE", ENDPOINT, call, path={"endpointId": endpoint_id})

    def deliveries(
        self,
        endpoint_id: str,
        *,
        status: str | None = None,
        event_type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        **call: Unpack[CallOptions],
    ) -> AsyncList[types.WebhookDelivery]:
        """Deliveries of an endpoint, with every attempt and its reason."""
        query = given(status=status, eventType=event_type, since=since, until=until, limit=100)
        return self._transport.pages(DELIVERIES, call, path={"endpointId": endpoint_id}, query=query)

    async def delivery(
        self, endpoint_id: str, delivery_id: str, **call: Unpack[CallOptions]
    ) -> types.WebhookDeliveryContent:
        """A delivery with the first 64 KiB of its body, and the endpoint's response to each attempt."""
        path = {"endpointId": endpoint_id, "deliveryId": delivery_id}
        return await self._transport.request("GET", DELIVERY, call, path=path)

    async def replay_delivery(
        self, endpoint_id: str, delivery_id: str, *, include_delivered: bool = False, **call: Unpack[CallOptions]
    ) -> int:
        """Sends one delivery again: the same id and bytes."""
        path = {"endpointId": endpoint_id, "deliveryId": delivery_id}
        body = {"includeDelivered": include_delivered}
        return (await self._repeatable(DELIVERY + "/replay", path, body, call))["replayed"]

    async def replay(
        self, endpoint_id: str, body: types.ReplayWebhookDeliveriesBody, **call: Unpack[CallOptions]
    ) -> int:
        """Sends the parked deliveries of a period again."""
        return (await self._repeatable(ENDPOINT + "/replay", {"endpointId": endpoint_id}, body, call))["replayed"]

    async def send_delivery_now(self, endpoint_id: str, delivery_id: str, **call: Unpack[CallOptions]) -> int:
        """Tries a pending delivery now. Returns 0 if it was due already."""
        path = {"endpointId": endpoint_id, "deliveryId": delivery_id}
        return (await self._repeatable(DELIVERY + "/send-now", path, None, call))["sending"]

    async def send_now(
        self, endpoint_id: str, body: types.SendWebhookDeliveriesNowBody, **call: Unpack[CallOptions]
    ) -> int:
        """Tries the pending deliveries of a period now. Returns the number of those that were due later."""
        return (await self._repeatable(ENDPOINT + "/send-now", {"endpointId": endpoint_id}, body, call))["sending"]

    async def pause(self, endpoint_id: str, **call: Unpack[CallOptions]) -> types.WebhookEndpoint:
        """Queues deliveries until `resume`."""
        return await self._transport.request("POST", ENDPOINT + "/pause", call, path={"endpointId": endpoint_id})

    async def resume(self, endpoint_id: str, **call: Unpack[CallOptions]) -> types.WebhookEndpoint:
        return await self._transport.request("POST", ENDPOINT + "/resume", call, path={"endpointId": endpoint_id})

    async def rotate_secret(
        self,
        endpoint_id: str,
        body: types.RotateWebhookSecretBody | None = None,
        **call: Unpack[CallOptions],
    ) -> types.WebhookEndpointWithSecret:
        """Creates a new secret; the old one stays valid for the overlap (default: one day)."""
        path = {"endpointId": endpoint_id}
        return await self._transport.request("POST", ENDPOINT + "/rotate-secret", call, path=path, body=body or {})

    async def test(self, endpoint_id: str, **call: Unpack[CallOptions]) -> types.WebhookTestResult:
        """Sends a signed empty message now."""
        return await self._transport.request("POST", ENDPOINT + "/test", call, path={"endpointId": endpoint_id})

    async def _repeatable(self, template: str, path: dict[str, str], body: Any, call: CallOptions) -> Any:
        options: CallOptions = {"repeatable": True, **call}
        return await self._transport.request("POST", template, options, path=path, body=body)


class AsyncAdmin:
    """Administration of an installation. Needs a key with the scope `admin`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def tenants(self, **call: Unpack[CallOptions]) -> AsyncList[types.Tenant]:
        return self._transport.pages(TENANTS, call, query={"limit": 100})

    async def create_tenant(self, body: types.CreateTenantBody, **call: Unpack[CallOptions]) -> types.Tenant:
        return await self._transport.request("POST", TENANTS, call, body=body)

    async def tenant(self, tenant_id: str, **call: Unpack[CallOptions]) -> types.Tenant:
        return await self._transport.request("GET", TENANT, call, path={"tenantId": tenant_id})

    async def change_tenant(
        self, tenant_id: str, body: types.ChangeTenantBody, **call: Unpack[CallOptions]
    ) -> types.Tenant:
        """Sets limits of a tenant."""
        return await self._transport.request("PATCH", TENANT, call, path={"tenantId": tenant_id}, body=body)

    async def delete_tenant(self, tenant_id: str, **call: Unpack[CallOptions]) -> types.ErasureReceipt:
        """Deletes a tenant: its keys at once, then everything it has. Cannot be undone."""
        return await self._transport.request("DELETE", TENANT, call, path={"tenantId": tenant_id})

    def keys(self, tenant_id: str, **call: Unpack[CallOptions]) -> AsyncList[types.ApiKey]:
        return self._transport.pages(KEYS, call, path={"tenantId": tenant_id}, query={"limit": 100})

    async def create_key(
        self, tenant_id: str, body: types.CreateKeyBody, **call: Unpack[CallOptions]
    ) -> types.MadeApiKey:
        """Creates an API key, which is shown only here."""
        return await self._transport.request("POST", KEYS, call, path={"tenantId": tenant_id}, body=body)

    async def rotate_key(
        self, tenant_id: str, key_id: str, *, overlap_hours: int = 24, **call: Unpack[CallOptions]
    ) -> types.MadeApiKey:
        """Creates a key that replaces another, which stays valid for the overlap."""
        path, body = {"tenantId": tenant_id, "keyId": key_id}, {"overlapHours": overlap_hours}
        return await self._transport.request("POST", KEY + "/rotate", call, path=path, body=body)

    async def revoke_key(self, tenant_id: str, key_id: str, **call: Unpack[CallOptions]) -> None:
        await self._transport.request("DELETE", KEY, call, path={"tenantId": tenant_id, "keyId": key_id})

    def parked(
        self,
        *,
        kind: str | None = None,
        tenant_id: str | None = None,
        code: str | None = None,
        **call: Unpack[CallOptions],
    ) -> AsyncList[types.ParkedWork]:
        """Work that failed permanently, over all tenants."""
        return self._transport.pages(PARKED, call, query=given(kind=kind, tenantId=tenant_id, code=code, limit=100))

    async def replay_parked(
        self, parked_id: str, *, ask_again: bool = False, **call: Unpack[CallOptions]
    ) -> None:
        """Tries parked work again. `ask_again`, of a window: ask the model again instead of using its stored answer."""
        path, query = {"parkedId": parked_id}, {"askAgain": ask_again}
        await self._transport.request("POST", PARKED + "/{parkedId}/replay", call, path=path, query=query)

    async def drop_parked(self, parked_id: str, **call: Unpack[CallOptions]) -> None:
        """Drops parked work permanently."""
        await self._transport.request("DELETE", PARKED + "/{parkedId}", call, path={"parkedId": parked_id})

    async def reconcile(self, **call: Unpack[CallOptions]) -> types.Reconciliation:
        """Compares the stream with the log, and publishes what is missing from it."""
        return await self._transport.request("POST", "/v1/admin/reconcile", call)
