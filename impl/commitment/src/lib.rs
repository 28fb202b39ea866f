//! Vector commitments: KZG on the Ethereum ceremony, and Libert-Yung.
