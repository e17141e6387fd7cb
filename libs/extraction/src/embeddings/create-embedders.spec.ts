import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { describe, expect, it, vi } from 'vitest';
import { createEmbedders, probeEmbedder } from './create-embedders.js';
import { LOCAL_MODEL } from './local-embedder.js';

const ENDPOINT = { baseUrl: 'http://127.0.0.1:9/v1', model: 'embed-1', dimensions: 8 };

describe('configured embedders', () => {
  it('are off by default and when disabled', () => {
    expect(createEmbedders({ mode: 'auto', dimensions: 8 })).toBeUndefined();
    expect(createEmbedders({ ...ENDPOINT, mode: 'off' })).toBeUndefined();
  });

  it('use the endpoint if one is configured, and the packaged model if selected', () => {
    expect(createEmbedders({ ...ENDPOINT, mode: 'auto' })?.current).toMatchObject({ model: 'embed-1', dimensions: 8 });
    const local = createEmbedders({ ...ENDPOINT, mode: 'local' });
    expect(local?.current).toMatchObject({ model: LOCAL_MODEL, dimensions: 512 });
    return local?.close();
  });

  it('require a model name', () => {
    expect(() => createEmbedders({ ...ENDPOINT, mode: 'auto', model: undefined })).toThrow('EMBEDDINGS_MODEL');
  });

  it('still query the model of an earlier configuration if possible', async () => {
    const endpoint = createEmbedders({ ...ENDPOINT, mode: 'auto' });
    expect(endpoint?.of('embed-0', 4)).toMatchObject({ model: 'embed-0', dimensions: 4 });
    expect(endpoint?.of(LOCAL_MODEL, 512)).toMatchObject({ model: LOCAL_MODEL });
    expect(endpoint?.of(LOCAL_MODEL, 4)).toBeNull();
    await endpoint?.close();
    const local = createEmbedders({ mode: 'local', dimensions: 8 });
    expect(local?.of('embed-1', 8)).toBeNull();
    await local?.close();
  });
});

describe('the probe of a model', () => {
  const failing = (error: Error): Embedder => ({ model: 'embed-1', dimensions: 8, embed: () => Promise.reject(error) });

  it('fails startup if the dimensions differ', async () => {
    const wrong = failing(new EmbeddingFailed('model.wrong_dimensions', 'The vectors have 4 dimensions.'));
    await expect(probeEmbedder(wrong, () => undefined)).rejects.toThrow('EMBEDDINGS_DIMENSIONS is 8');
  });

  it('does not prevent startup if the model is unavailable', async () => {
    const away = new EmbeddingFailed('model.unreachable', 'connection refused');
    const told = vi.fn();
    await probeEmbedder(failing(away), told);
    expect(told.mock.calls).toEqual([[away]]);
  });
});
