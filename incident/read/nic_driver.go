package read

import "assay/incident"

// cardSignatures match what network drivers report about their hardware and its
// firmware, by maker, from ISA cards to current ones.
var cardSignatures = []signature{
	// Intel
	{has: "arning firmware error detected FWSM", kind: incident.NICError, device: card},
	{has: "irmware recovery mode detected", kind: incident.NICError, device: card},
	{has: "NVM Checksum Is Not Valid", kind: incident.NICError, device: card},
	{has: "EEPROM CheckSum Is Not Valid", kind: incident.NICError, device: card},
	{has: "EEPROM Checksum Is Not Valid", kind: incident.NICError, device: card},
	{has: "PF reset failed", kind: incident.NICError, device: card},
	{has: "Critical Error detected", kind: incident.NICError, device: card, or: []string{"ARQ ", "ASQ "}}, // i40e, ice
	{has: "Received ECC Err, initiating reset", kind: incident.NICError, device: card},
	{has: "Reset polling failed to complete", kind: incident.NICError, device: card},
	{has: "Error reading PHY register", kind: incident.NICError, device: card},
	{has: "Hardware Error", kind: incident.NICError, device: card, or: []string{"e1000e ", "e1000: "}, not: []string{"[Hardware Error]"}},
	{has: "DDP package", kind: incident.NICError, device: card, and: "Safe Mode"}, // ice
	{has: "HW Init failed", kind: incident.NICError, device: card, or: []string{"ixgbe", "igb", "e1000"}},
	{has: "detected on queue", kind: incident.NICHang, device: card, and: "tx hang"},
	{has: "Adapter removed", kind: incident.PCIeDown, device: pci, or: []string{"ixgbe", "igb", "fm10k"}},
	// Broadcom, Marvell and their acquisitions
	{has: "MSI Status error.  Resetting chip", kind: incident.NICError, device: card},
	{has: "DMA Status error.  Resetting chip", kind: incident.NICError, device: card},
	{has: "tg3_abort_hw timed out", kind: incident.NICError, device: card},
	{has: "tg3_stop_block timed out", kind: incident.NICError, device: card},
	{has: "re-ordering memory-mapped I/O cycles", kind: incident.NICError, device: card},
	{has: "MDC/MDIO access timeout", kind: incident.NICError, device: card},
	{has: "HW block attention", kind: incident.NICError, device: card},
	{has: "begin crash dump", kind: incident.NICError, device: card, and: "bnx2x"},
	{has: "bnxt_en", kind: incident.NICError, device: card, or: []string{"Detected firmware fatal condition", "atal firmware error", "irmware is unresponsive", "irmware reset", "hwrm req_type"}},
	{has: "qed_hw_err_notify", kind: incident.NICError, device: card},
	{has: "irmware hang detected", kind: incident.NICError, device: card, or: []string{"qlcnic", "netxen", "be2net"}},
	{has: "sky2", kind: incident.NICError, device: card, or: []string{"hw error interrupt status", "PCI hardware error", "parity error", "phy I/O error", "descriptor error"}},
	{has: "hardware error detected (status", kind: incident.NICError, device: card}, // skge
	// Mellanox
	{has: "mlx5_core", kind: incident.NICError, device: card, or: []string{"did not come back after reset", "PCI link not ready", "assert_var[", "Health issue observed", "timeout abort", "internal error detected"}},
	{has: "mlx4_core", kind: incident.NICError, device: card, or: []string{"Internal error detected", "go bit not cleared", "device is going to be reset", "Failed to obtain HW semaphore"}},
	// Chelsio, Solarflare
	{has: "encountered fatal error, adapter stopped", kind: incident.NICError, device: card},
	{has: "Firmware reports adapter error", kind: incident.NICError, device: card},
	{has: "MC command 0x", kind: incident.NICError, device: card, and: "timed out", or: []string{"sfc", "eth", "enp"}},
	{has: "UE: ", kind: incident.NICError, device: card, and: "be2net", or: []string{"HIGH", "LOW"}},
	// Realtek
	{has: "_cond == ", kind: incident.NICHang, device: port, and: "r8169"},
	{has: "r8169", kind: incident.NICError, device: card, or: []string{"PCI error (cmd", "unknown chip XID"}},
	{has: "PCI Bus error", kind: incident.NICError, device: card, and: "eth"},
	{has: "Abnormal interrupt, status", kind: incident.NICError, device: card},
	{has: "Too much work at interrupt", kind: incident.NICError, device: card, or: []string{"eth", "enp", "8139"}},
	// Atheros, NVIDIA
	{has: "too many iterations (", kind: incident.NICError, device: card}, // forcedeth
	{has: "alx ", kind: incident.NICError, device: card, and: "fatal interrupt"},
	{has: "atl1", kind: incident.NICError, device: card, or: []string{"hardware error", "pcie phy link"}},
	// ISA and early PCI cards
	{has: "mismatched read page pointers", kind: incident.NICError, device: card},
	{has: "timeout waiting for Tx RDC", kind: incident.NICError, device: card},
	{has: "bogus packet", kind: incident.NICError, device: card, or: []string{"size: ", "status="}},
	{has: "next frame inconsistency", kind: incident.NICError, device: card},
	{has: "DMAing conflict in ", kind: incident.NICError, device: card},
	{has: "reset_8390() did not complete", kind: incident.NICError, device: card},
	{has: "Host error, FIFO diagnostic register", kind: incident.NICError, device: card}, // 3c59x
	{has: "Interrupt posted but not delivered", kind: incident.NICError, device: card},
	{has: "PCI bus error, bus status", kind: incident.NICError, device: card},
	{has: "Transmit error, Tx status register", kind: incident.NICError, device: card},
	{has: "Something Wicked happened!", kind: incident.NICError, device: card}, // natsemi, sundance, epic100, via-rhine
	{has: "Oversized Ethernet frame spanned multiple buffers", kind: incident.NICError, device: card},
	{has: "The transmitter stopped", kind: incident.NICError, device: card}, // tulip
	{has: "exec cuc_dump_reset failed", kind: incident.NICError, device: card},
	{has: "EEPROM corrupted", kind: incident.NICError, device: card, and: "e100"},
	// boards
	{has: "DMA bus error: HRESP not OK", kind: incident.NICError, device: card}, // macb
	{has: "Failed to reset the dma", kind: incident.NICError, device: card},     // stmmac
	{has: "DMA engine initialization failed", kind: incident.NICError, device: card},
	{has: "MDIO read timeout", kind: incident.NICError, device: card},
	{has: "MDIO write timeout", kind: incident.NICError, device: card},
	{has: "bad rx status ", kind: incident.NICError, device: card, or: []string{"mvneta", "mvpp2", "crc error", "overrun error"}},
	{has: "Timeout while waiting for switch", kind: incident.NICError, device: card}, // mv88e6xxx
	// USB
	{has: "Failed to write reg index", kind: incident.NICError, device: card, or: []string{"ax88179", "smsc95xx", "smsc75xx", "lan78xx"}},
	{has: "asix_rx_fixup() ", kind: incident.NICError, device: card, or: []string{"Bad Header Length", "Bad RX Length", "synchronisation was lost"}},
	{has: "MII access", kind: incident.NICError, device: card, or: []string{"Failed to enable software", "Failed to enable hardware"}},
	// Wi-Fi
	{has: "irmware crashed!", kind: incident.NICError, device: card, or: []string{"ath1", "wlan", "brcm", "iwl"}},
	{has: "brcmf_fw_crashed", kind: incident.NICError, device: card},
	{has: "iwlwifi", kind: incident.NICError, device: card, or: []string{"HW error, resetting", "ailed to wake NIC", "Error sending ", "Hardware error detected"}},
	{has: "mt7921e", kind: incident.NICError, device: card, or: []string{") timeout", "driver own failed", "chip reset"}},
}

// moduleSignatures match messages of cards and switches about the transceivers and cables
// plugged into them.
var moduleSignatures = []signature{
	{has: "nsupported SFP", kind: incident.NICModule, device: card}, // ixgbe, i40e
	{has: "nsupported QSFP", kind: incident.NICModule, device: card},
	{has: "nsupported module type was detected", kind: incident.NICModule, device: card}, // ice
	{has: "power requirements exceed the device's power supply", kind: incident.NICModule, device: card},
	{has: "installed module is incompatible with the device's NVM image", kind: incident.NICModule, device: card},
	{has: "module does not meet thermal requirements", kind: incident.NICModule, device: card},
	{has: "Reload the driver after installing a supported module", kind: incident.NICModule, device: card},
	{has: "nqualified SFP", kind: incident.NICModule, device: card}, // bnx2x, bnxt
	{has: "nqualified module", kind: incident.NICModule, device: card},
	{has: "power to that SFP+ module has been removed", kind: incident.NICModule, device: card},
	{has: "Port module event[error]", kind: incident.NICModule, device: card, not: []string{"igh temperature", "igh Temperature"}}, // mlx5
	{has: "nsupported cable", kind: incident.NICModule, device: card, or: []string{"mlx", "qlcnic", "netxen", "OUI"}},
	{has: "port module inserted", kind: incident.NICModule, device: card, or: []string{"nsupported", "nknown"}}, // cxgb4
	{has: "sfp ", kind: incident.NICModule, device: card, or: []string{"transmit fault indicated", "persistently indicates fault", "module is not supported", "failed to read EEPROM", "checksum failure", "Host does not support"}}, // phylink
	{has: "sfp-", kind: incident.NICModule, device: card, or: []string{"transmit fault indicated", "persistently indicates fault", "module is not supported", "failed to read EEPROM", "checksum failure"}},
	{has: "nsupported transceiver", kind: incident.NICModule, device: card},
	{has: "UNSUPPORTED_TRANSCEIVER", kind: incident.NICModule, device: nothing}, // switches
	{has: "GBIC_SECURITY", kind: incident.NICModule, device: nothing},
	{has: "transceiver", kind: incident.NICModule, device: card, or: []string{"is not supported", "not qualified", "is incompatible", "is not authentic"}},
	{has: "power low alarm", kind: incident.NICModule, device: nothing, and: ": On"}, // ethtool -m
	{has: "power high alarm", kind: incident.NICModule, device: nothing, and: ": On"},
	{has: "Module temperature high alarm", kind: incident.NICModule, device: nothing, and: ": On"},
}

// card returns the interface or address of the network card that a line is
// about.
func card(text string) string {
	if name := port(text); name != "" {
		return name
	}
	return pci(text)
}
